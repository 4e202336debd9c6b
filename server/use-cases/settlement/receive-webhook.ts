import { connectionOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import { type RailName, railNames } from '#domain/sale/sale.ts'
import { hasGatewayEvent, saveGatewayEvent } from '#server/database/rails/gateway-events.ts'
import type { WebhookHeaders, WebhookHint } from '#server/ports/rail.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/ports/security.ts'

export type WebhookOutcome = 'accepted' | 'repeated' | 'unknown'

type WebhookCall = { gateway: string; headers: WebhookHeaders; body: Uint8Array }

const EVENT_ID_LENGTH_MAX = 200

/**
 * Treats a gateway's call as a hint: the payment that it names is looked up at the gateway at once,
 * and nothing else in the call is trusted. Refuses with `NotFound` for a gateway that the sale does
 * not use, `Unauthenticated` for a wrong signature, `MalformedBody` for a signed body that names no
 * payment, and `TooManyRequests`. Wrong signatures never use up the attempts of right ones.
 */
export async function receiveWebhook(
  services: Services,
  { gateway, headers, body }: WebhookCall,
  { address }: Client,
): Promise<WebhookOutcome> {
  const { database, rails, limits, log, clock } = services
  const name = railNames.find((each): each is RailName => each === gateway)
  const webhook = name === undefined ? undefined : rails.get(name)?.webhook
  if (webhook === undefined) throw new Refusal('NotFound')
  const hint = webhook.read(headers, body)
  if (hint === null) {
    await limits.take('webhook_wrong_by_address', connectionOf(address))
    log.warn({ gateway, address }, 'A webhook came without the right signature')
    throw new Refusal('Unauthenticated', { message: 'The signature is missing or wrong' })
  }
  await limits.take('webhook_by_address', connectionOf(address))
  if (hint === 'unreadable' || !canBeStored(hint)) {
    throw new Refusal('MalformedBody', { message: 'This call names no payment' })
  }
  const { eventId, paymentId } = hint
  if (await hasGatewayEvent(database, gateway, eventId)) return 'repeated'
  const isKnown = await webhook.follow(hint)
  const text = Buffer.from(body).toString('utf8').replaceAll('\u0000', '')
  await saveGatewayEvent(database, { gateway, eventId, body: text, at: clock.now() })
  if (isKnown) return 'accepted'
  log.warn({ gateway, paymentId }, 'A webhook names a payment that no purchase has')
  return 'unknown'
}

/** PostgreSQL cannot store text that contains NUL, signed or not. */
function canBeStored(hint: WebhookHint): boolean {
  const hasNul = Object.values(hint).some((text) => text?.includes('\u0000'))
  return !hasNul && hint.eventId.length <= EVENT_ID_LENGTH_MAX
}
