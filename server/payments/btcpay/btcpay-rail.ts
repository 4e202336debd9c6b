import { exactText, isExactRecord, parseExactJson } from '#domain/exact-json.ts'
import type { GatewayCollaborators } from '#server/payments/gateway/gateway-api.ts'
import { createGatewayRail } from '#server/payments/gateway/gateway-rail.ts'
import { isSigned } from '#server/payments/gateway/gateway-access.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Rail, Webhook } from '#server/ports/rail.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { createBtcpayApi } from './btcpay-api.ts'
import type { BtcpaySettings } from './settings.ts'

const PACE: Pace = { everyMs: 1_000, pauseMs: 2_000, pauseMaxMs: 60_000, recheckMs: 30_000 }
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i

export function createBtcpayRail(
  { url, storeId, apiKey, webhookSecrets }: BtcpaySettings,
  expireAfterMs: number,
  { outgoing, pace, ...collaborators }: GatewayCollaborators,
): Rail {
  if (url === null || storeId === null || apiKey === null) {
    throw new Unavailable('BTCPAY_URL, BTCPAY_STORE_ID and BTCPAY_API_KEY are not all set')
  }
  return createGatewayRail({
    ...collaborators,
    name: 'btcpay',
    api: createBtcpayApi({
      outgoing,
      url,
      storeId,
      apiKey,
      expireAfterMs,
      clock: collaborators.clock,
    }),
    readWebhook: createBtcpayWebhook(webhookSecrets),
    pace: pace ?? PACE,
  })
}

/** Reads a webhook of BTCPay Server, whose signature is an HMAC-SHA256 of the body’s bytes. */
export function createBtcpayWebhook(secrets: readonly Secret[]): Webhook['read'] {
  return (headers, body) => {
    const signature = SIGNATURE.exec(headers['btcpay-sig'] ?? '')?.[1]
    if (signature === undefined || !isSigned('sha256', secrets, [body], signature)) return null
    const json = parseExactJson(Buffer.from(body).toString('utf8'))
    if (json === null || !isExactRecord(json.value)) return 'unreadable'
    const { originalDeliveryId, deliveryId, invoiceId, metadata } = json.value
    // A redelivery has its own id, and names the original one.
    const eventId = exactText(originalDeliveryId) ?? exactText(deliveryId)
    const paymentId = exactText(invoiceId)
    if (eventId === null || paymentId === null) return 'unreadable'
    const orderId = isExactRecord(metadata) ? exactText(metadata['orderId']) : null
    return { eventId, paymentId, parentId: null, orderId }
  }
}
