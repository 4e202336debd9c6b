import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, parseDecimal } from '#domain/money.ts'
import { signDelivery } from '#tests/kit/servers/btcpay-server.ts'
import { type NowPayment, signIpn, writePayment } from '#tests/kit/servers/nowpayments-server.ts'
import type { startGatewayServer } from '#tests/prove/inputs/servers/gateway-sale.ts'

type GatewayServer = Awaited<ReturnType<typeof startGatewayServer>>

export type Delivery = { body: string; headers: Record<string, string> }

/**
 * A payment at a gateway that goes through six events. `happen` makes the gateway's API show the
 * first so many; `deliver` writes the webhook of one of them, as it was when it happened.
 */
export type NotifiedPayment = {
  happen(count: number): void
  /** `nth` from 0 to 5; `time` counts how often it was delivered before. */
  deliver(nth: number, time: number): Delivery
}

export const EVENTS = 6
const DECIMALS = 8

function share(purchase: Transaction, percent: bigint): string {
  const due = parseDecimal(purchase.payment_amount ?? '0', DECIMALS) ?? 0n
  return formatDecimal((due * percent) / 100n, DECIMALS)
}

/** Three fifths, then two, then one too many; further deposits are payments themselves. */
export function notifyByNowpayments(
  { nowpayments }: GatewayServer,
  purchase: Transaction,
): NotifiedPayment {
  const own = nowpayments.paymentOf(purchase.id)
  const further = (percent: bigint): NowPayment => {
    const made = nowpayments.addDeposit(own, { actuallyPaid: share(purchase, percent) })
    nowpayments.payments.delete(String(made.id))
    return made
  }
  const [rest, surplus] = [further(40n), further(20n)]
  const first = share(purchase, 60n)
  const states: [payment: NowPayment, change: Partial<NowPayment>][] = [
    [own, { status: 'waiting', actuallyPaid: '0' }],
    [own, { status: 'confirming', actuallyPaid: first }],
    [own, { status: 'partially_paid', actuallyPaid: first }],
    [rest, { status: 'confirming' }],
    [rest, { status: 'finished' }],
    [surplus, { status: 'finished' }],
  ]
  return {
    happen(count) {
      for (const [payment, change] of states.slice(0, count)) {
        Object.assign(payment, change)
        nowpayments.payments.set(String(payment.id), payment)
      }
    },
    deliver(nth) {
      const [payment, change] = states[nth] ?? [own, {}]
      const body = writePayment({ ...payment, ...change }, new Map(), false)
      return { body, headers: { 'x-nowpayments-sig': signIpn(body) } }
    },
  }
}

/** Two payments of three fifths each: seen, then settled, one after the other. */
export function notifyByBtcpay({ btcpay }: GatewayServer, purchase: Transaction): NotifiedPayment {
  const invoice = btcpay.invoiceOf(purchase.id)
  const receivedDate = Math.floor(Date.now() / 1000)
  const value = share(purchase, 60n)
  const payments = ['ab', 'cd'].map((byte) => ({
    id: `${byte}${purchase.id.replaceAll('-', '').repeat(2).slice(2)}-0`,
    value,
    status: 'Processing',
    receivedDate,
  }))
  const [one, other] = payments
  const types = [
    'InvoiceCreated',
    'InvoiceReceivedPayment',
    'InvoiceProcessing',
    'InvoicePaymentSettled',
    'InvoicePaymentSettled',
    'InvoiceSettled',
  ]
  return {
    happen(count) {
      invoice.payments = payments.slice(0, Math.max(0, Math.min(2, count - 1)))
      if (one !== undefined && count >= 4) one.status = 'Settled'
      if (other !== undefined && count >= 5) other.status = 'Settled'
      if (count >= 3) invoice.status = 'Processing'
      if (count >= 6) Object.assign(invoice, { status: 'Settled', additionalStatus: 'PaidOver' })
    },
    deliver(nth, time) {
      const original = `${invoice.id}-${nth}`
      const body = JSON.stringify({
        deliveryId: `${original}-${time}`,
        originalDeliveryId: original,
        isRedelivery: time > 0,
        type: types[nth],
        invoiceId: invoice.id,
        metadata: { orderId: purchase.id },
      })
      return { body, headers: { 'btcpay-sig': signDelivery(body) } }
    },
  }
}
