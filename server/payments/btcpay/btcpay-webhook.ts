import { createHmac, timingSafeEqual } from 'node:crypto'

import { exactText, isExactRecord, parseExactJson } from '#domain/exact-json.ts'
import type { Webhook } from '#server/ports/rail.ts'
import type { Secret } from '#server/ports/runtime.ts'

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i

/** Reads a call of BTCPay Server, whose signature is an HMAC-SHA256 over the body's bytes. */
export function createBtcpayWebhook(secrets: readonly Secret[]): Webhook['read'] {
  return (headers, body) => {
    const signature = SIGNATURE.exec(headers['btcpay-sig'] ?? '')?.[1]
    if (signature === undefined) return null
    const given = Buffer.from(signature, 'hex')
    let isRight = false
    for (const secret of secrets) {
      const expected = createHmac('sha256', secret.reveal()).update(body).digest()
      isRight = timingSafeEqual(expected, given) || isRight
    }
    if (!isRight) return null
    const json = parseExactJson(Buffer.from(body).toString('utf8'))
    if (json === null || !isExactRecord(json.value)) return 'unreadable'
    const { originalDeliveryId, deliveryId, invoiceId, metadata } = json.value
    // A delivery that is repeated has an id of its own, and names the first one.
    const eventId = exactText(originalDeliveryId) ?? exactText(deliveryId)
    const paymentId = exactText(invoiceId)
    if (eventId === null || paymentId === null) return 'unreadable'
    const orderId = isExactRecord(metadata) ? exactText(metadata['orderId']) : null
    return { eventId, paymentId, parentId: null, orderId }
  }
}
