import { webhooksContract } from '#contract/webhooks.ts'
import {
  receiveWebhook,
  type WebhookOutcome,
} from '#server/use-cases/settlement/receive-webhook.ts'
import { implement } from '#server/http/routing/implement.ts'

const messages: Record<WebhookOutcome, string> = {
  accepted: 'The gateway is now asked about this payment',
  repeated: 'This was reported before and is ignored',
  unknown: 'No purchase has this payment. The call is ignored',
}

export const webhooksRoutes = implement(webhooksContract, {
  receive: async (services, { params, headers, bytes }, _caller, client) => {
    const call = { gateway: params.gateway, headers, body: bytes }
    const outcome = await receiveWebhook(services, call, client)
    return { outcome, message: messages[outcome] }
  },
})
