import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'

export type PostRequest = {
  target: URL
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
  /** A longer answer is not listened to. */
  answerMbMax: number
}

/** The text is null if it exceeds the limit. */
export type PostReply = { status: number; text: string | null }

/**
 * A hundred large transactions are 80 MB, a whole block 8 MB, and everything that waits for one 20
 * MB.
 */
export const ANSWER_MB_MAX = 128

/**
 * Posts without following redirects. `fetch` waits for at most five minutes, whatever the signal.
 */
export async function postTwice(request: PostRequest): Promise<PostReply> {
  const post = async ({ target, answerMbMax, ...rest }: PostRequest): Promise<PostReply> => {
    const reply = await fetch(target, { method: 'POST', redirect: 'error', ...rest })
    return { status: reply.status, text: await readText(reply.body ?? [], answerMbMax) }
  }
  return await post(request).catch(async (error: unknown) => {
    if (request.signal.aborted) throw error
    // A kept-alive connection may be closed just as it is reused: one retry is safe.
    return await post(request)
  })
}

/** Posts once on a connection of its own, and waits until the signal aborts. */
export async function postPatiently(request: PostRequest): Promise<PostReply> {
  const { target, headers, body, signal, answerMbMax } = request
  const send = target.protocol === 'https:' ? requestByHttps : requestByHttp
  return await new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, signal, agent: false }
    send(target, options, (reply) => {
      const { statusCode: status = 0 } = reply
      readText(reply, answerMbMax).then((text) => resolve({ status, text }), reject)
    })
      .on('error', reject)
      .end(body)
  })
}

async function readText(
  parts: AsyncIterable<Uint8Array> | Uint8Array[],
  mbMax: number,
): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of parts) {
    size += chunk.byteLength
    if (size > mbMax * 1_000_000) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
