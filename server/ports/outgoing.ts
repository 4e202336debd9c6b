/**
 * A call to another server. Throws `Unavailable`, which never names more of the address than its
 * host, where no answer comes in time or it is too large.
 */
export type Outgoing = (call: {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  withinMs: number
  bytesMax: number
}) => Promise<{ status: number; header(name: string): string | null; text: string }>
