import { createHash } from 'node:crypto'

import { type ExactJson, exactText, type ExactRecord, isExactRecord } from '#domain/exact-json.ts'
import { formatDecimal, usd, USD_DECIMALS } from '#domain/money.ts'
import { gatewayCoinName } from '#domain/sale/gateway-coin-name.ts'
import { callApi } from '#server/payments/gateway/call-api.ts'
import {
  ApiRefused,
  type GatewayApi,
  type GatewayChains,
  type GatewayDeposit,
  NotOurs,
} from '#server/payments/gateway/gateway-api.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { AddressRequest } from '#server/ports/rail.ts'
import type { Clock, Outgoing, Secret } from '#server/ports/runtime.ts'

export type BtcpayAccess = {
  outgoing: Outgoing
  /** Without a slash at the end. */
  url: string
  storeId: string
  apiKey: Secret
  /** How long a buyer has to pay. */
  expireAfterMs: number
  clock: Clock
}

const ID = /^[\w-]{1,64}$/
const ADDRESS = /^[!-~]{1,200}$/
/** A transaction output: hash and index. */
const OUTPOINT = /^([0-9a-f]{64})[-:](\d{1,6})$/i
const LOOK_EVERY_MS = 5_000
const FINDS_WITHIN_MS = 60_000
const BEHIND_MAX_MS = 3_600_000
const MONITORING_MINUTES = 365 * 24 * 60
/**
 * From this amount on, BTCPay Server calls a payment settled after six confirmations, below it
 * after two. The store's own setting might require none, and BTCPay never takes a settlement back.
 */
const LARGE = usd(10_000n * 10n ** BigInt(USD_DECIMALS))
const STATUSES = new Set(['New', 'Processing', 'Expired', 'Invalid', 'Settled'])
const PAYMENT_STATUSES = new Set(['Processing', 'Settled', 'Invalid'])

/** The calls that creating a payment and looking for a lost one have in common. */
function createCalls(access: BtcpayAccess) {
  const call = (method: 'GET' | 'POST', path: string, body?: string) => {
    const headers = { authorization: `token ${access.apiKey.reveal()}`, accept: 'application/json' }
    const url = `${access.url}/api/v1/stores/${access.storeId}/invoices${path}`
    return callApi(access.outgoing, { method, name: 'BTCPay Server', url, headers, body })
  }

  /** Finds an invoice whose creation succeeded although the reply was lost. */
  async function findMade(purchaseId: string): Promise<ExactRecord | null> {
    const invoices = await call('GET', `?orderId=${purchaseId}`)
    if (!Array.isArray(invoices)) throw new Unavailable('BTCPay Server answers without a list')
    return invoices.filter(isExactRecord).find((one) => orderOf(one) === purchaseId) ?? null
  }

  async function makeInvoice(request: AddressRequest, code: string): Promise<ExactRecord> {
    try {
      return recordOf(await call('POST', '', bodyOf(request, code, access.expireAfterMs)))
    } catch (error) {
      if (error instanceof ApiRefused) throw error
      const made = await afterRequest(findMade(request.purchaseId))
      if (made === null) throw error
      return made
    }
  }

  async function readAddress(invoiceId: string, code: string): Promise<string | null> {
    const methods = listOf(await call('GET', `/${invoiceId}/payment-methods`))
    const coin = gatewayCoinName('btcpay', code)
    const method = methods.find((each) => gatewayCoinName('btcpay', codeOf(each)) === coin)
    const address = exactText(method?.['destination']) ?? ''
    return ADDRESS.test(address) ? address : null
  }

  return { call, findMade, makeInvoice, readAddress }
}

/**
 * BTCPay Server's Greenfield API. An invoice asks for the amount due in the coin itself, so that
 * BTCPay's own rates play no part.
 */
export function createBtcpayApi(access: BtcpayAccess): GatewayApi {
  const { call, findMade, makeInvoice, readAddress } = createCalls(access)
  return {
    lookAtChains: watchChains(access),

    async greet() {
      listOf(await call('GET', '?orderId=greeting&take=1'))
    },

    async create(request, code) {
      const invoice = await makeInvoice(request, code)
      const paymentId = exactText(invoice['id']) ?? ''
      if (!ID.test(paymentId) || orderOf(invoice) !== request.purchaseId) {
        throw new Unavailable('BTCPay Server answers with a different invoice than requested')
      }
      const address = await afterRequest(readAddress(paymentId, code))
      if (address === null) {
        throw new Unavailable(`BTCPay Server has no address for ${code}: is it on for the store?`)
      }
      return { paymentId, address }
    },

    async find({ purchaseId, code }) {
      const invoice = await findMade(purchaseId)
      const paymentId = exactText(invoice?.['id']) ?? ''
      if (!ID.test(paymentId)) return null
      return { paymentId, address: code === null ? null : await readAddress(paymentId, code) }
    },

    async ask({ paymentId, purchaseId, isOwn, ownPaymentId }) {
      // Anybody may make an invoice for an order at a page of the store, such as its point of sale,
      // and it would count as settled by the store's own number of confirmations.
      if (!isOwn && ownPaymentId !== null) {
        throw new NotOurs(`Invoice ${paymentId} of BTCPay Server was not made by this sale`)
      }
      const invoice = recordOf(await call('GET', `/${paymentId}`))
      if (exactText(invoice['id']) !== paymentId) {
        throw new Unavailable('BTCPay Server answers with a different invoice than requested')
      }
      if (orderOf(invoice) !== purchaseId) {
        throw new NotOurs(`BTCPay Server knows invoice ${paymentId} as one of another order`)
      }
      const status = exactText(invoice['status']) ?? ''
      if (!STATUSES.has(status)) {
        throw new Unavailable(`BTCPay Server says '${status}' of an invoice`)
      }
      const methods = listOf(await call('GET', `/${paymentId}/payment-methods`))
      const deposits = methods.flatMap((method) => depositsOf(method, paymentId))
      const isMarked = exactText(invoice['additionalStatus']) === 'Marked'
      return {
        status,
        hasFailed: status === 'Invalid' && (isMarked || deposits.every(({ isGone }) => isGone)),
        furtherIds: [],
        deposits,
      }
    },
  }
}

/**
 * Looks every few seconds. Answers may lack payments from when BTCPay Server is behind until a
 * minute after it says that it has caught up, when it has looked for what was paid meanwhile; but
 * not for longer than an hour of being behind, since it may be another coin of the server. When it
 * first answers, at the start or after a minute of silence, it may have caught up just now.
 */
function watchChains(access: BtcpayAccess): () => Promise<GatewayChains> {
  let begunAt: number | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let behind: { since: number; at: number; isStated: boolean } | null = null
  let caughtUpAt: number | null = null
  /** Null while it answers; before the first answer nobody knows how it stands. */
  let silentSince: number | null = Number.NEGATIVE_INFINITY

  async function look(now: number): Promise<void> {
    const isSynchronized = await askWhetherSynchronized(access)
    if (isSynchronized === null) {
      silentSince ??= now
      return
    }
    const wasSilent = silentSince !== null && now - silentSince >= FINDS_WITHIN_MS
    silentSince = null
    if (isSynchronized && !wasSilent) {
      caughtUpAt ??= now
      return
    }
    // An outage before it is none of the hour.
    const isOn = behind !== null && now - behind.at < FINDS_WITHIN_MS
    const since = behind !== null && isOn ? behind.since : now
    behind = { since, at: now, isStated: !isSynchronized }
    caughtUpAt = isSynchronized ? now : null
  }

  return async () => {
    const now = access.clock.now().getTime()
    if (lookedAt - now > LOOK_EVERY_MS) {
      // The clock was ahead, and is right again: all that was seen is dated in the future.
      begunAt = behind = caughtUpAt = null
      lookedAt = silentSince = Number.NEGATIVE_INFINITY
    }
    begunAt ??= now
    if (now - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = now
      await look(now)
    }
    if (behind === null) {
      // It has not said yet how it stands, as when both servers start, or is one that never does.
      const mayLackPayments = now - begunAt < FINDS_WITHIN_MS
      return { mayLackPayments, isBehind: false, behindAt: mayLackPayments ? new Date(now) : null }
    }
    const mayLackPayments =
      caughtUpAt === null ? now - behind.since < BEHIND_MAX_MS : now - caughtUpAt < FINDS_WITHIN_MS
    const isBehind = mayLackPayments && behind.isStated
    return { mayLackPayments, isBehind, behindAt: new Date(behind.at) }
  }
}

/** Null where it does not say, as an older version, or a proxy that keeps the call away from it. */
async function askWhetherSynchronized({ outgoing, url }: BtcpayAccess): Promise<boolean | null> {
  const headers = { accept: 'application/json' }
  const call = {
    method: 'GET',
    name: 'BTCPay Server',
    url: `${url}/api/v1/health`,
    headers,
  } as const
  const answer = await callApi(outgoing, call).catch(() => null)
  const given = isExactRecord(answer) ? answer['synchronized'] : null
  return typeof given === 'boolean' ? given : null
}

/** Once an invoice may exist, it is not known to be refused because a question about it is. */
async function afterRequest<Answer>(question: Promise<Answer>): Promise<Answer> {
  return await question.catch((error: unknown) => {
    throw error instanceof ApiRefused ? new Unavailable(error.message) : error
  })
}

function bodyOf(
  { purchaseId, paymentToken, amountDue, quotedUsd }: AddressRequest,
  code: string,
  expireAfterMs: number,
): string {
  return JSON.stringify({
    amount: formatDecimal(amountDue, paymentToken.decimals),
    // The payment method `BTC-CHAIN` has the currency `BTC`.
    currency: code.split('-')[0],
    metadata: { orderId: purchaseId },
    checkout: {
      paymentMethods: [code],
      defaultPaymentMethod: code,
      lazyPaymentMethods: false,
      speedPolicy: quotedUsd < LARGE ? 'LowMediumSpeed' : 'LowSpeed',
      expirationMinutes: Math.ceil(expireAfterMs / 60_000),
      monitoringMinutes: MONITORING_MINUTES,
    },
  })
}

/** Every payment counts separately; the status of the invoice as a whole does not matter. */
function depositsOf(method: ExactRecord, invoiceId: string): GatewayDeposit[] {
  const payments = method['payments']
  if (!Array.isArray(payments)) throw new Unavailable('BTCPay Server answers without payments')
  return payments.map((payment: ExactJson) => {
    const { id, value, status: given, receivedDate } = recordOf(payment)
    const name = exactText(id)
    const written = exactText(value)
    const status = exactText(given) ?? ''
    const receivedAt = new Date(Number(exactText(receivedDate) ?? Number.NaN) * 1000)
    if (name === null || written === null || !PAYMENT_STATUSES.has(status)) {
      throw new Unavailable('BTCPay Server reports a payment that is not in the documented form')
    }
    const [, hash = name.slice(0, 128), index] = OUTPOINT.exec(name) ?? []
    return {
      transactionHash: hash,
      index: index === undefined ? indexOf(invoiceId) : Number(index),
      code: codeOf(method),
      written,
      isConfirmed: status === 'Settled',
      isGone: status === 'Invalid',
      sentAt: Number.isNaN(receivedAt.getTime()) ? null : receivedAt,
    }
  })
}

/** Distinguishes payments to two invoices in one transaction if BTCPay Server names no output. */
function indexOf(invoiceId: string): number {
  return createHash('sha256').update(invoiceId).digest().readUInt32BE() >>> 1
}

/** Older versions call the field `paymentMethod`. */
function codeOf(method: ExactRecord): string {
  return exactText(method['paymentMethodId']) ?? exactText(method['paymentMethod']) ?? ''
}

function orderOf(invoice: ExactRecord): string | null {
  const { metadata } = invoice
  return isExactRecord(metadata) ? exactText(metadata['orderId']) : null
}

function recordOf(answer: ExactJson): ExactRecord {
  if (!isExactRecord(answer)) throw new Unavailable('BTCPay Server sends an unreadable answer')
  return answer
}

function listOf(answer: ExactJson): readonly ExactRecord[] {
  if (!Array.isArray(answer)) throw new Unavailable('BTCPay Server answers without a list')
  return answer.filter(isExactRecord)
}
