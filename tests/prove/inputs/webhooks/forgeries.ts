import { createHmac } from 'node:crypto'

import { BTCPAY_SECRET, signDelivery } from '#tests/kit/servers/btcpay-server.ts'
import { IPN_SECRET, signIpn } from '#tests/kit/servers/nowpayments-server.ts'
import type { Delivery } from './notified-payments.ts'

type Roll = (sides: number) => number

const FORGERS: ((right: Delivery, gateway: string, roll: Roll) => Delivery)[] = [
  // Another byte in the body.
  ({ body, headers }, _gateway, roll) => {
    const bytes = Buffer.from(body)
    const at = roll(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(7))
    return { body: bytes.toString('latin1'), headers }
  },
  // Another digit in the signature.
  ({ body, headers }, _gateway, roll) => ({
    body,
    headers: mapValues(headers, (signature) => {
      const at = signature.length - 1 - roll(60)
      const digit = ((Number.parseInt(signature[at] ?? '0', 16) + 1 + roll(15)) % 16).toString(16)
      return signature.slice(0, at) + digit + signature.slice(at + 1)
    }),
  }),
  // Cut, or with something appended.
  ({ body, headers }, _gateway, roll) => ({ body: body.slice(0, roll(body.length)), headers }),
  ({ body, headers }) => ({ body: `${body.slice(0, -1)},"payment_status":"refunded"}`, headers }),
  // Another amount, order or payment under the signature of the right ones.
  ({ body, headers }, _gateway, roll) => ({
    body: body.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1 + roll(9)) % 10)),
    headers,
  }),
  // Signed with the secret of the other gateway, with the name of the header, or with nothing.
  ({ body }, gateway) =>
    gateway === 'nowpayments'
      ? { body, headers: { 'x-nowpayments-sig': signIpn(body, BTCPAY_SECRET) } }
      : { body, headers: { 'btcpay-sig': signDelivery(body, IPN_SECRET) } },
  ({ body }, gateway) => signedBy(gateway, body, ''),
  ({ body }, gateway) => signedBy(gateway, body, gateway),
  ({ body }, gateway) =>
    gateway === 'nowpayments'
      ? { body, headers: { 'btcpay-sig': signDelivery(body) } }
      : { body, headers: { 'x-nowpayments-sig': signIpn(body) } },
  // By a weaker algorithm, or by none.
  ({ body }, gateway) => {
    const secret = gateway === 'nowpayments' ? IPN_SECRET : BTCPAY_SECRET
    const weak = createHmac('sha1', secret).update(body).digest('hex')
    return gateway === 'nowpayments'
      ? { body, headers: { 'x-nowpayments-sig': weak } }
      : { body, headers: { 'btcpay-sig': `sha1=${weak}` } }
  },
  ({ body }) => ({ body, headers: {} }),
  ({ body, headers }) => ({ body, headers: mapValues(headers, () => '') }),
  ({ body, headers }) => ({ body, headers: mapValues(headers, (text) => text.slice(0, -2)) }),
]

/** A webhook that its gateway never signed, made from one that it did. */
export function forge(right: Delivery, gateway: string, roll: Roll): Delivery {
  const forger = FORGERS[roll(FORGERS.length)] ?? ((same: Delivery) => same)
  const forged = forger(right, gateway, roll)
  // What is only written otherwise is what was signed: see `rewrite`.
  const isSame = contentOf(forged.body) === contentOf(right.body)
  const isSigned = JSON.stringify(forged.headers) === JSON.stringify(right.headers)
  return isSame && isSigned ? { body: `${right.body} x`, headers: right.headers } : forged
}

/**
 * The same content and signature in a different serialisation, as somebody would replay it
 * unnoticed.
 */
export function rewrite({ body, headers }: Delivery, nth: number): Delivery {
  return { body: body.replaceAll(',', `${' '.repeat(nth % 50)},${'\n'.repeat(nth >> 6)}`), headers }
}

function contentOf(text: string): string {
  try {
    const value = JSON.parse(text) as object
    return JSON.stringify(Object.entries(value).toSorted())
  } catch {
    return text
  }
}

function signedBy(gateway: string, body: string, secret: string): Delivery {
  return gateway === 'nowpayments'
    ? { body, headers: { 'x-nowpayments-sig': signIpn(body, secret) } }
    : { body, headers: { 'btcpay-sig': signDelivery(body, secret) } }
}

function mapValues(headers: Record<string, string>, change: (text: string) => string) {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, change(text)]))
}
