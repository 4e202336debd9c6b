import { createHmac } from 'node:crypto'
import { type PlayedServer, startPlayedServer } from './played-server.ts'

export const NOWPAYMENTS_KEY = 'the-api-key-of-nowpayments'
export const IPN_SECRET = 'the-ipn-secret'

/** A payment as NOWPayments keeps it; amounts are the text that it writes as JSON numbers. */
export type NowPayment = {
  id: number
  parentId: number | null
  status: string
  orderId: string | null
  currency: string
  payAmount: string
  actuallyPaid: string
  createdAt: Date
}

/**
 * Simulates NOWPayments' documented API with its quirks: ids are texts in one reply and numbers in
 * the next, and further deposits are payments of their own.
 */
export type NowpaymentsServer = PlayedServer & {
  payments: Map<string, NowPayment>
  /** Dollars, as the minimum of every coin. */
  minimum: string
  /** The payment that was made for a purchase. */
  paymentOf(purchaseId: string): NowPayment
  /** A further deposit to a payment's address. */
  addDeposit(parent: NowPayment, changes: Partial<NowPayment>): NowPayment
}

export async function startNowpayments(): Promise<NowpaymentsServer> {
  const payments = new Map<string, NowPayment>()
  let lastId = 5_000_000_000
  const add = (payment: Omit<NowPayment, 'id' | 'createdAt'>) => {
    lastId += 1
    const made = { ...payment, id: lastId, createdAt: new Date() }
    payments.set(String(lastId), made)
    return made
  }
  const server = await startPlayedServer(({ method, path, headers, body }) => {
    if (headers['x-api-key'] !== NOWPAYMENTS_KEY) return refusal(403, 'Invalid api key')
    if (path.startsWith('/min-amount')) {
      return { status: 200, text: `{"min_amount":0.001,"fiat_equivalent":${nowpayments.minimum}}` }
    }
    if (path === '/merchant/coins') return { status: 200, text: '{"selectedCurrencies":["BTC"]}' }
    if (method === 'POST' && path === '/payment') {
      const input = JSON.parse(body) as { order_id: string; pay_currency: string }
      const payAmount = /"pay_amount":([\d.]+)/.exec(body)?.[1] ?? '0'
      const payment = add({
        parentId: null,
        status: 'waiting',
        orderId: input.order_id,
        currency: input.pay_currency,
        payAmount,
        actuallyPaid: '0',
      })
      return { status: 201, text: writePayment(payment, payments, true) }
    }
    if (path.startsWith('/payment/?')) {
      const query = Object.fromEntries(new URL(path, 'http://nowpayments').searchParams)
      const [limit, page] = [Number(query['limit']), Number(query['page'])]
      const listed = [...payments.values()]
        .filter(({ createdAt }) => isBetween(createdAt, query))
        .slice(page * limit, (page + 1) * limit)
        .map((each) => writePayment(each, payments, false))
      return { status: 200, text: `{"data":[${listed.join(',')}],"limit":500,"page":0}` }
    }
    const payment = payments.get(path.replace('/payment/', ''))
    if (payment === undefined) return refusal(404, 'Payment not found')
    return { status: 200, text: writePayment(payment, payments, false) }
  })
  const nowpayments: NowpaymentsServer = Object.assign(server, {
    payments,
    minimum: '5.5',
    paymentOf(purchaseId: string) {
      const found = [...payments.values()].find(({ orderId }) => orderId === purchaseId)
      if (found === undefined) throw new Error('NOWPayments was asked for no such payment.')
      return found
    },
    addDeposit(parent: NowPayment, changes: Partial<NowPayment>) {
      const deposit = add({ ...parent, parentId: parent.id, orderId: null, status: 'finished' })
      return Object.assign(deposit, changes)
    },
  })
  return nowpayments
}

/** Whether a time is within the days that a list is asked for. */
function isBetween(at: Date, { dateFrom = '', dateTo = '' }: Record<string, string>): boolean {
  const day = at.toISOString().slice(0, 10)
  return dateFrom <= day && day <= dateTo
}

const refusal = (status: number, message: string) => ({
  status,
  text: JSON.stringify({ status: false, statusCode: status, message }),
})

/** A payment as NOWPayments reports it, in answers and in webhooks alike. */
export function writePayment(
  payment: NowPayment,
  payments: ReadonlyMap<string, NowPayment>,
  isIdText: boolean,
): string {
  const { id, parentId, status, orderId, currency, payAmount, actuallyPaid, createdAt } = payment
  const further = [...payments.values()]
    .filter((each) => each.parentId === id)
    .map(({ id: own }) => own)
  return [
    `{"payment_id":${isIdText ? `"${id}"` : id},"parent_payment_id":${parentId}`,
    `"payment_status":"${status}","pay_address":"addr-${parentId ?? id}","payin_extra_id":null`,
    `"price_amount":100,"price_currency":"usd","pay_amount":${payAmount}`,
    `"actually_paid":${actuallyPaid},"pay_currency":"${currency}"`,
    `"order_id":${JSON.stringify(orderId)},"created_at":"${createdAt.toISOString()}"`,
    `"payment_extra_ids":${further.length === 0 ? 'null' : JSON.stringify(further)}`,
    `"fee":{"currency":"btc","withdrawalFee":0,"depositFee":1e-8,"serviceFee":0.10}}`,
  ].join(',')
}

/** Signs a body as their documented JavaScript sample does: lists become objects by index. */
export function signIpn(body: string, secret = IPN_SECRET): string {
  return createHmac('sha512', secret)
    .update(JSON.stringify(sortKeys(JSON.parse(body))))
    .digest('hex')
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([key, inner]) => [key, sortKeys(inner)]))
}
