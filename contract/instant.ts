import * as z from 'zod/mini'

/** An instant in ISO 8601, in UTC. */
export const Instant = z.iso.datetime()

/** An instant in a request. */
export const InstantInput = z.pipe(
  z.iso.datetime({ error: 'Must be an instant in UTC, such as 2026-01-31T12:00:00Z' }),
  z.transform((text) => new Date(text)),
)
