export type { Caller } from '#server/services.ts'

/** Where a call comes from, as far as the connection tells. */
export type Client = { address: string; userAgent: string }
