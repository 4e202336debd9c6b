import { Unavailable } from '#domain/unavailable.ts'
import type { Outgoing } from '#server/ports/runtime.ts'

/**
 * Calls other servers over HTTP. Each call is limited in time and in the size of its answer,
 * follows no redirect, and is never retried: only the caller knows whether that is safe.
 */
export function createOutgoing(): Outgoing {
  return async ({ url, method, headers, body, withinMs, bytesMax }) => {
    const { host } = new URL(url)
    const signal = AbortSignal.timeout(withinMs)
    try {
      const reply = await fetch(url, {
        method,
        headers,
        signal,
        redirect: 'error',
        ...(body !== null && { body }),
      })
      const text = await readText(reply, bytesMax)
      if (text === null) throw new Unavailable(`${host} answers with more than ${bytesMax} bytes`)
      return { status: reply.status, header: (name) => reply.headers.get(name), text }
    } catch (error) {
      if (error instanceof Unavailable) throw error
      const why = signal.aborted
        ? `did not answer within ${withinMs / 1000} s`
        : 'cannot be reached'
      // The cause is not passed on, since it may contain an address with a key.
      throw new Unavailable(`${host} ${why}`)
    }
  }
}

/** Null if it exceeds the limit. */
async function readText(reply: Response, bytesMax: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.byteLength
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
