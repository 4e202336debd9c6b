import { createHash, createHmac } from 'node:crypto'
import { type PlayedServer, startPlayedServer } from './played-server.ts'

export const BTCPAY_KEY = 'the-api-key-of-btcpay'
export const BTCPAY_SECRET = 'the-webhook-secret'
export const STORE = 'store1'

export type BtcpayPayment = { id: string; value: string; status: string; receivedDate: number }

export type BtcpayInvoice = {
  id: string
  orderId: string
  amount: string
  currency: string
  code: string
  speedPolicy: string
  status: string
  additionalStatus: string
  payments: BtcpayPayment[]
}

/** Simulates the documented Greenfield API of BTCPay Server. */
export type BtcpayServer = PlayedServer & {
  invoices: Map<string, BtcpayInvoice>
  /** False while its own chain is behind. */
  isSynchronized: boolean
  invoiceOf(purchaseId: string): BtcpayInvoice
}

export async function startBtcpay(): Promise<BtcpayServer> {
  const invoices = new Map<string, BtcpayInvoice>()
  const base = `/api/v1/stores/${STORE}/invoices`
  const server = await startPlayedServer(({ method, path, headers, body }) => {
    if (path === '/api/v1/health') return json(200, { synchronized: played.isSynchronized })
    if (headers.authorization !== `token ${BTCPAY_KEY}`)
      return json(401, { code: 'unauthenticated' })
    const [place = '', query = ''] = path.split('?')
    if (method === 'POST' && place === base) return json(200, write(add(body)))
    if (place === base) {
      const orderId = new URLSearchParams(query).get('orderId')
      const found = [...invoices.values()].filter((each) => each.orderId === orderId)
      return json(200, found.map(write))
    }
    const [id = '', part] = place.slice(base.length + 1).split('/')
    const invoice = invoices.get(id)
    if (invoice === undefined) return json(404, { code: 'invoice-not-found', message: 'Not found' })
    return json(200, part === undefined ? write(invoice) : [writeMethod(invoice)])
  })

  function add(body: string): BtcpayInvoice {
    const input = JSON.parse(body) as {
      amount: string
      currency: string
      metadata: { orderId: string }
      checkout: { paymentMethods: string[]; speedPolicy?: string }
    }
    const invoice: BtcpayInvoice = {
      id: `Inv${invoices.size + 1}x${createHash('sha256').update(body).digest('hex').slice(0, 12)}`,
      orderId: input.metadata.orderId,
      amount: input.amount,
      currency: input.currency,
      code: input.checkout.paymentMethods[0] ?? '',
      // The default of the store.
      speedPolicy: input.checkout.speedPolicy ?? 'HighSpeed',
      status: 'New',
      additionalStatus: 'None',
      payments: [],
    }
    invoices.set(invoice.id, invoice)
    return invoice
  }

  const played: BtcpayServer = Object.assign(server, {
    invoices,
    isSynchronized: true,
    invoiceOf(purchaseId: string) {
      const found = [...invoices.values()].find(({ orderId }) => orderId === purchaseId)
      if (found === undefined) throw new Error('BTCPay was asked for no such invoice.')
      return found
    },
  })
  return played
}

const json = (status: number, body: unknown) => ({ status, text: JSON.stringify(body) })

const write = ({ id, orderId, amount, currency, status, additionalStatus }: BtcpayInvoice) => ({
  id,
  storeId: STORE,
  amount,
  currency,
  type: 'Standard',
  status,
  additionalStatus,
  metadata: { orderId },
})

const writeMethod = ({ id, code, currency, amount, payments }: BtcpayInvoice) => ({
  paymentMethodId: code,
  currency,
  destination: `bc1q${id.toLowerCase()}`,
  rate: '1',
  amount,
  payments: payments.map((payment) => ({ ...payment, fee: '0.0', destination: 'bc1q' })),
})

export function signDelivery(body: string, secret = BTCPAY_SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
