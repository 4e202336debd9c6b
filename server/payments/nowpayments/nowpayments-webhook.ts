import { createHash } from 'node:crypto'

import {
  type ExactJson,
  ExactNumber,
  exactText,
  isExactRecord,
  jsonExtent,
  parseExactJson,
} from '#domain/exact-json.ts'
import { isSigned } from '#server/payments/gateway/gateway-access.ts'
import type { Webhook } from '#server/ports/rail.ts'
import type { Secret } from '#server/ports/runtime.ts'

const SIGNATURE = /^[0-9a-f]{128}$/i
/** Far more than any real webhook has. The body is parsed before its sender is known. */
const DEPTH_MAX = 20
const PARTS_MAX = 1_000

/**
 * Reads a webhook from NOWPayments. Its signature is an HMAC-SHA512 of the body with its keys
 * sorted at every level. Languages differ in how they serialise sorted lists and numbers: each form
 * that may have been signed is accepted.
 */
export function createNowpaymentsWebhook(secrets: readonly Secret[]): Webhook['read'] {
  return (headers, body) => {
    const signature = headers['x-nowpayments-sig'] ?? ''
    if (!SIGNATURE.test(signature)) return null
    const text = Buffer.from(body).toString('utf8')
    const { depth, parts } = jsonExtent(text)
    if (depth > DEPTH_MAX || parts > PARTS_MAX) return null
    const json = parseExactJson(text)
    if (json === null) return null
    if (!isSigned('sha512', secrets, signedForms(json.value), signature)) return null
    if (!isExactRecord(json.value)) return 'unreadable'
    const paymentId = exactText(json.value['payment_id'])
    if (paymentId === null) return 'unreadable'
    return {
      // It has no event id. The same content has the same signature, whatever whitespace, key order
      // or number format it is sent with.
      eventId: createHash('sha256').update(signature.toLowerCase()).digest('hex'),
      paymentId,
      parentId: exactText(json.value['parent_payment_id']),
      orderId: exactText(json.value['order_id']),
    }
  }
}

type Form = { listsAsObjects: boolean; numbersByJavaScript: boolean }

function signedForms(value: ExactJson): string[] {
  const forms: Form[] = [
    { listsAsObjects: false, numbersByJavaScript: false },
    { listsAsObjects: true, numbersByJavaScript: false },
    { listsAsObjects: false, numbersByJavaScript: true },
    { listsAsObjects: true, numbersByJavaScript: true },
  ]
  return [...new Set(forms.map((form) => writeSorted(value, form)))]
}

function writeSorted(value: ExactJson, form: Form): string {
  if (value instanceof ExactNumber) {
    return form.numbersByJavaScript ? JSON.stringify(Number(value.text)) : value.text
  }
  if (Array.isArray(value)) {
    const items = value.map((item: ExactJson) => writeSorted(item, form))
    return form.listsAsObjects
      ? `{${items.map((item, index) => `"${index}":${item}`).join(',')}}`
      : `[${items.join(',')}]`
  }
  if (!isExactRecord(value)) return JSON.stringify(value)
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${writeSorted(value[key] ?? null, form)}`)
  return `{${fields.join(',')}}`
}
