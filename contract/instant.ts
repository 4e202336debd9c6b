import * as z from 'zod/mini'

/** An instant in ISO 8601, in UTC. */
export const Instant = z.iso.datetime()
