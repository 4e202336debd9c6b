import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { startLocalServer } from '#tests/kit/servers/played-server.ts'

export type ReceivedWebhook = { headers: IncomingHttpHeaders; body: string; path: string }

export type WebhookBody = {
  type: string
  id: string
  timestamp: string
  data: Record<string, string>
}

export type WebhookReceiver = {
  /** For an endpoint of a sandbox. */
  url: string
  received: ReceivedWebhook[]
  /** How it replies; with 204 at first. */
  answer: (response: ServerResponse, call: ReceivedWebhook) => void
  /** The types of what has come, in its order. */
  types(): string[]
  close(): Promise<void>
}

/** The receiving side of webhooks, as in the software of somebody who connects theirs. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = await startLocalServer((request, body, response) => {
    const call = { headers: request.headers, body, path: request.url ?? '' }
    receiver.received.push(call)
    receiver.answer(response, call)
  })
  const receiver: WebhookReceiver = {
    url: `${server.url}/hook`,
    received: [],
    answer: answerWith(204),
    types: () => receiver.received.map((each) => bodyOf(each).type),
    close: server.stop,
  }
  return receiver
}

export const answerWith =
  (status: number, headers: Record<string, string> = {}): WebhookReceiver['answer'] =>
  (response) =>
    response.writeHead(status, headers).end()

export const bodyOf = ({ body }: ReceivedWebhook) => JSON.parse(body) as WebhookBody

/** Throws unless the Standard Webhooks library finds the signature right. */
export function verify(secret: string, { headers, body }: ReceivedWebhook): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}
