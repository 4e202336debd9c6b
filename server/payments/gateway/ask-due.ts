import { readWrittenDecimal } from '#domain/exact-json.ts'
import { cryptoAmount } from '#domain/money.ts'
import { gatewayCoinName } from '#domain/sale/gateway-coin-name.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { GATEWAY_COIN_DECIMALS } from '#domain/settlement/ledger.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { Unavailable, whyOf } from '#domain/unavailable.ts'
import {
  ApiRefused,
  type GatewayChains,
  type GatewayDeposit,
  type GatewayOptions,
  NotOurs,
} from './gateway-api.ts'
import type { AskedPayment, RecordedDeposit } from '#server/ports/gateway-record.ts'

const CLAIM_MAX = 20
const CLAIM_MS = 60_000
const ASSET_LENGTH_MAX = 100
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const FOREIGN_COIN = { decimals: GATEWAY_COIN_DECIMALS }

/** `why` is set if the gateway answered none of the questions. */
export type Asking = { isAnythingAsked: boolean; why: string | null; chains: GatewayChains }

const READ_TO_THE_END: GatewayChains = { mayLackPayments: false, isBehind: false, behindAt: null }

export async function askDue(options: GatewayOptions, now: Date): Promise<Asking> {
  const chains = (await options.api.lookAtChains?.()) ?? READ_TO_THE_END
  const paymentTokenIds = options.paymentTokens.map(({ id }) => id)
  const due = await options.record.claimDue(now, CLAIM_MAX, CLAIM_MS, paymentTokenIds)
  const faults = await Promise.all(due.map((payment) => askAbout(options, payment, chains)))
  const [first = null] = faults
  return { isAnythingAsked: due.length > 0, why: faults.includes(null) ? null : first, chains }
}

/** Returns why the gateway did not answer, or null if it did. */
async function askAbout(
  options: GatewayOptions,
  payment: AskedPayment,
  { mayLackPayments, behindAt }: GatewayChains,
): Promise<string | null> {
  const { name, api, record, clock, log, pace } = options
  const askedAt = clock.now()
  const knownThrough = payment.knownThrough ?? payment.createdAt
  const isDatedLate = behindAt !== null && knownThrough <= behindAt
  const dated = (deposit: GatewayDeposit) => (isDatedLate ? { ...deposit, sentAt: null } : deposit)
  try {
    const answer = await api.ask(payment)
    await record.save(payment, {
      ...answer,
      askedAt,
      // Nothing expires by an answer that may lack payments.
      knownThrough: mayLackPayments ? knownThrough : askedAt,
      askNextAt: mayLackPayments ? soon(payment, askedAt, pace) : nextAt(payment, askedAt, pace),
      deposits: answer.deposits.map((deposit) =>
        toRecorded(options, dated(deposit), payment, askedAt),
      ),
    })
    return null
  } catch (error) {
    const why = whyOf(error)
    const { paymentId } = payment
    if (error instanceof NotOurs && !payment.isOwn) {
      log.error({ gateway: name, paymentId, why }, 'A payment is not for this sale')
      await record.postpone(payment, null)
      return null
    }
    log.warn({ gateway: name, paymentId, why }, 'The gateway could not be asked about a payment')
    // It answers, as after a change of the account or the store: what it does not know now may stay
    // unknown for good, and must not hold up the other payments.
    const isUnknown =
      error instanceof NotOurs || (error instanceof ApiRefused && error.status === 404)
    const againAt = new Date(askedAt.getTime() + pace.recheckMs)
    const askNextAt = isUnknown ? nextAt(payment, askedAt, pace) : againAt
    await record.postpone(payment, askNextAt, { isUnknown })
    return isUnknown ? null : why
  }
}

function toRecorded(
  { name, paymentTokens }: GatewayOptions,
  { code, written, sentAt, ...deposit }: GatewayDeposit,
  payment: AskedPayment,
  now: Date,
): RecordedDeposit {
  const coin = gatewayCoinName(name, code)
  const named = paymentTokens.filter(
    ({ providerIds }) => gatewayCoinName(name, providerIds[name] ?? '') === coin,
  )
  // Two tokens may have one name there, as when one has replaced the other.
  const paymentToken = named.find(({ id }) => id === payment.paymentTokenId) ?? named[0]
  const amountOf = (token: Pick<PaymentToken, 'decimals'>) => {
    const amount = readWrittenDecimal(written, token.decimals)
    if (amount === null) throw new Unavailable(`${name} reports the amount '${written}'`)
    return cryptoAmount(amount)
  }
  return {
    ...deposit,
    paymentTokenId: paymentToken?.id ?? null,
    asset:
      paymentToken === undefined
        ? code.toLowerCase().slice(0, ASSET_LENGTH_MAX) || 'unknown'
        : null,
    amount: amountOf(paymentToken ?? FOREIGN_COIN),
    amountIn(tokenId) {
      const token = tokenId === null ? FOREIGN_COIN : paymentTokens.find(({ id }) => id === tokenId)
      return token === undefined ? null : amountOf(token)
    },
    // It arrived after the last question, which did not find it. The earliest possible time is
    // assumed, so that a payment during a pause of the server still counts as in time.
    sentAt: sentAt ?? payment.knownThrough ?? (payment.createdAt < now ? payment.createdAt : now),
  }
}

/** What may expire by a whole answer does not wait for one longer than it has to. */
function soon(payment: AskedPayment, now: Date, pace: Pace): Date {
  const usual = nextAt(payment, now, pace)
  const { graceEndsAt, knownThrough, createdAt } = payment
  const isSettled = graceEndsAt === null || (knownThrough ?? createdAt) >= graceEndsAt
  return isSettled ? usual : new Date(Math.min(usual.getTime(), now.getTime() + MINUTE_MS))
}

/**
 * New payments are asked about often, old ones rarely, for as long as the sale runs. A purchase is
 * asked about once more right after its expiry, since nothing expires before that.
 */
function nextAt({ createdAt, graceEndsAt }: AskedPayment, now: Date, { everyMs }: Pace): Date {
  const ageMs = now.getTime() - createdAt.getTime()
  const factor = ageMs < 2 * HOUR_MS ? 15 : ageMs < 48 * HOUR_MS ? 150 : 1_800
  const nextMs = now.getTime() + everyMs * factor
  const isOpen = graceEndsAt !== null && graceEndsAt > now
  return new Date(isOpen ? Math.min(nextMs, graceEndsAt.getTime()) : nextMs)
}
