import { type ExactJson, exactText, isExactRecord, parseExactJson } from '#domain/exact-json.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Outgoing } from '#server/ports/runtime.ts'
import { ApiRefused } from './gateway-api.ts'

export type ApiCall = {
  method: 'GET' | 'POST'
  name: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
}

/** Well below the 15 seconds of a buyer's request. */
const ANSWER_WITHIN_MS = 6_000
/** BTCPay Server lists all payments to an invoice at once, of which there may be thousands. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
const DETAIL_LENGTH_MAX = 200

/**
 * Calls a gateway once, without a retry, and returns its answer with numbers as they were written.
 */
export async function callApi(
  outgoing: Outgoing,
  { name, body, headers, ...call }: ApiCall,
): Promise<ExactJson> {
  const reply = await outgoing({
    ...call,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body ?? null,
    withinMs: ANSWER_WITHIN_MS,
    bytesMax: ANSWER_BYTES_MAX,
  })
  const json = parseExactJson(reply.text)
  if (reply.status >= 200 && reply.status < 300) {
    if (json === null) throw new Unavailable(`${name} sends an unreadable answer`)
    return json.value
  }
  const sentence = `${name} answers with status ${reply.status}: ${detailOf(json?.value)}`
  const isNo = reply.status >= 400 && reply.status < 500 && reply.status !== 408
  // What is not JSON comes from something in front of the gateway: it knows nothing of a payment,
  // and has created none.
  const isAnswer = json !== null || call.method === 'POST'
  // After a timeout or a server error the request may nevertheless have been carried out.
  throw isNo && isAnswer
    ? new ApiRefused(sentence, reply.status, json !== null)
    : new Unavailable(sentence)
}

function detailOf(answer: ExactJson | undefined): string {
  const message = isExactRecord(answer) ? exactText(answer['message']) : null
  return (message ?? 'it does not say why').replaceAll(/\s+/g, ' ').slice(0, DETAIL_LENGTH_MAX)
}
