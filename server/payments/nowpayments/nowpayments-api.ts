import {
  type ExactJson,
  exactText,
  type ExactRecord,
  isExactRecord,
  readWrittenDecimal,
} from '#domain/exact-json.ts'
import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import { callApi } from '#server/payments/gateway/call-api.ts'
import {
  ApiRefused,
  type GatewayApi,
  type GatewayDeposit,
  NotOurs,
} from '#server/payments/gateway/gateway-api.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { AddressRequest } from '#server/ports/rail.ts'
import type { Outgoing, Secret } from '#server/ports/runtime.ts'

export type NowpaymentsAccess = {
  outgoing: Outgoing
  /** With its version, without a slash at the end. */
  url: string
  apiKey: Secret
}

/** The documented statuses. A payment of any other status changes nothing. */
const NO_MONEY_YET = ['waiting', 'expired']
const UNCONFIRMED = ['confirming']
const CONFIRMED = ['confirmed', 'sending', 'partially_paid', 'finished']
const OVER = ['failed', 'refunded']
const KNOWN = new Set([...NO_MONEY_YET, ...UNCONFIRMED, ...CONFIRMED, ...OVER])
const ID = /^[\w-]{1,64}$/
const ADDRESS = /^[!-~]{1,200}$/
const DAY_MS = 86_400_000
/** The most that its list returns at a time. */
const LIST_SIZE = 500
const LIST_PAGES_MAX = 20
/** Enough to distinguish any amount from zero. */
const ANY_DECIMALS = 36

export function callNowpayments(
  { outgoing, url, apiKey }: NowpaymentsAccess,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
): Promise<ExactJson> {
  const headers = { 'x-api-key': apiKey.reveal(), accept: 'application/json' }
  return callApi(outgoing, { method, name: 'NOWPayments', url: url + path, headers, body })
}

/** @param callbackUrl The address for webhooks; null leaves it to the account's settings. */
export function createNowpaymentsApi(
  access: NowpaymentsAccess,
  callbackUrl: string | null,
): GatewayApi {
  return {
    async create(request, code) {
      const body = bodyOf(request, code, callbackUrl)
      const payment = recordOf(await callNowpayments(access, 'POST', '/payment', body))
      const paymentId = idOf(payment, 'payment_id')
      const address = exactText(payment['pay_address']) ?? ''
      if (paymentId === null || !ADDRESS.test(address)) {
        throw new Unavailable('NOWPayments answers without an address')
      }
      if (exactText(payment['order_id']) !== request.purchaseId || !isIn(payment, code)) {
        throw new Unavailable('NOWPayments answers with a different payment than requested')
      }
      if ((exactText(payment['payin_extra_id']) ?? '') !== '') {
        const why = `${code} needs a memo at NOWPayments, which buyers would forget. Use another network`
        throw new ApiRefused(why, 0)
      }
      return { paymentId, address }
    },

    find: (lost) => findMade(access, lost),

    async greet() {
      await callNowpayments(access, 'GET', '/merchant/coins')
    },

    async ask({ paymentId, purchaseId, isOwn, ownPaymentId }) {
      const payment = recordOf(await callNowpayments(access, 'GET', `/payment/${paymentId}`))
      if (idOf(payment, 'payment_id') !== paymentId) {
        throw new Unavailable('NOWPayments answers with a different payment than requested')
      }
      const parentId = idOf(payment, 'parent_payment_id')
      const isForPurchase = exactText(payment['order_id']) === purchaseId
      if (!isForPurchase && (isOwn || parentId === null || parentId !== ownPaymentId)) {
        throw new NotOurs(`NOWPayments knows payment ${paymentId} as one of another order`)
      }
      const status = exactText(payment['payment_status']) ?? ''
      if (!KNOWN.has(status)) throw new Unavailable(`NOWPayments says '${status}' of a payment`)
      return {
        status,
        hasFailed: OVER.includes(status),
        furtherIds: idsIn(payment['payment_extra_ids']).filter((id) => id !== paymentId),
        deposits: depositsOf(payment, { paymentId, status, isOwn }),
      }
    },
  }
}

/**
 * Goes through the account's payments of those days, which some accounts can list only after a
 * login: then it throws {@link ApiRefused}.
 */
async function findMade(
  access: NowpaymentsAccess,
  { purchaseId, createdAt }: { purchaseId: string; createdAt: Date },
): Promise<{ paymentId: string; address: string | null } | null> {
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const span = `dateFrom=${dayOf(+createdAt - DAY_MS)}&dateTo=${dayOf(+createdAt + 2 * DAY_MS)}`
  for (let page = 0; page < LIST_PAGES_MAX; page += 1) {
    const path = `/payment/?limit=${LIST_SIZE}&page=${page}&sortBy=created_at&orderBy=asc&${span}`
    const { data } = recordOf(await callNowpayments(access, 'GET', path))
    if (!Array.isArray(data)) throw new Unavailable('NOWPayments answers without a list')
    const payments: ExactRecord[] = data.filter(isExactRecord)
    const made = payments.find((each) => exactText(each['order_id']) === purchaseId)
    const paymentId = made === undefined ? null : idOf(made, 'payment_id')
    if (made !== undefined && paymentId !== null) {
      const address = exactText(made['pay_address']) ?? ''
      return { paymentId, address: ADDRESS.test(address) ? address : null }
    }
    if (data.length < LIST_SIZE) return null
  }
  throw new Unavailable('NOWPayments has too many payments of those days to look through')
}

/** Amounts are written digit by digit, since a float could not hold all of them. */
function bodyOf(
  { purchaseId, paymentToken, amountDue, quotedUsd }: AddressRequest,
  code: string,
  callbackUrl: string | null,
): string {
  const numbers = [
    `"price_amount":${formatDecimal(quotedUsd, USD_DECIMALS)}`,
    `"pay_amount":${formatDecimal(amountDue, paymentToken.decimals)}`,
  ]
  const texts = JSON.stringify({
    price_currency: 'usd',
    pay_currency: code,
    order_id: purchaseId,
    ...(callbackUrl !== null && { ipn_callback_url: callbackUrl }),
  })
  return `{${numbers.join(',')},${texts.slice(1)}`
}

/**
 * The one deposit of a payment; further deposits are payments of their own. After a failure, the
 * first deposit still has to be refunded, while a further one that failed counts for nothing.
 */
function depositsOf(
  payment: ExactRecord,
  { paymentId, status, isOwn }: { paymentId: string; status: string; isOwn: boolean },
): GatewayDeposit[] {
  const code = exactText(payment['pay_currency'])
  const written = exactText(payment['actually_paid'])
  const paid = readWrittenDecimal(written, ANY_DECIMALS)
  if (written !== null && paid === null) {
    throw new Unavailable(`NOWPayments reports the amount '${written.slice(0, 40)}'`)
  }
  if (written === null || code === null || paid === null) {
    if (!CONFIRMED.includes(status)) return []
    throw new Unavailable(`NOWPayments says '${status}' but not what was paid`)
  }
  if (paid === 0n) return []
  const createdAt = new Date(exactText(payment['created_at']) ?? '')
  return [
    {
      transactionHash: paymentId,
      index: 0,
      code,
      written,
      isConfirmed: CONFIRMED.includes(status) || status === 'failed',
      isGone: status === 'refunded' || (status === 'failed' && !isOwn),
      // A further payment is created with its deposit; the first one with its purchase.
      sentAt: isOwn || Number.isNaN(createdAt.getTime()) ? null : createdAt,
    },
  ]
}

function recordOf(answer: ExactJson): ExactRecord {
  if (!isExactRecord(answer)) throw new Unavailable('NOWPayments sends an unreadable answer')
  return answer
}

/** Ids are sent as texts or as numbers. */
function idOf(payment: ExactRecord, field: string): string | null {
  const text = exactText(payment[field])
  return text !== null && ID.test(text) ? text : null
}

/** A list, or an object with its indexes as keys, as some languages serialise it. */
function idsIn(value: ExactJson | undefined): string[] {
  const entries = isExactRecord(value) ? Object.values(value) : Array.isArray(value) ? value : []
  return entries.flatMap((entry: ExactJson) => {
    const text = exactText(entry)
    return text !== null && ID.test(text) ? [text] : []
  })
}

function isIn(payment: ExactRecord, code: string): boolean {
  return exactText(payment['pay_currency'])?.toLowerCase() === code.toLowerCase()
}
