import type { LockedBonuses } from '#domain/sale/bonus.ts'
import type { QuotedTerms } from '#domain/sale/booking.ts'
import { invariant } from '#domain/invariant.ts'
import { add, subtract, type TokenAmount, type Usd, usd } from '#domain/money.ts'
import { spendingLimits, tokensFor } from '#domain/sale/quote.ts'
import { type boundReasons, Refusal, waitText } from '#domain/refusal.ts'
import {
  type PaymentToken,
  paymentTokenOf,
  type Sale,
  type Stage,
  type StageProgress,
} from '#domain/sale/sale.ts'
import { isDust, remaining } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'
import { usdText } from '#server/use-cases/sale/amount-texts.ts'
import { requireActiveStage, withRailMinimum } from '#server/use-cases/sale/get-active-stage.ts'
import { createHmac } from 'node:crypto'
import { sharedConnectionOf } from '#domain/accounts/network.ts'
import {
  type BrokenBound,
  brokenBound,
  openMax,
  type ReservationBounds,
  reservationBounds,
  shareLeft,
  waitsUntil,
} from '#domain/sale/reservation.ts'
import { findFirstExpiry, loadUnpaid, type UnpaidNow } from '#server/database/purchases/unpaid.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Client } from '#server/ports/security.ts'

/**
 * The payment token with an id, if it can be used to buy now. Refuses with `UnknownPaymentToken` if
 * the sale has none with that id, or has switched it off.
 */
export function requireAccepted(sale: Sale, id: string): PaymentToken {
  const paymentToken = paymentTokenOf(sale, id)
  if (paymentToken === undefined) throw new Refusal('UnknownPaymentToken')
  if (!paymentToken.isEnabled) {
    const message = `${paymentToken.name} is not accepted at the moment. Choose another payment token`
    throw new Refusal('UnknownPaymentToken', { message })
  }
  return paymentToken
}

/**
 * Refuses with `NoTokensLeft` if the stage has too few tokens, saying how much is left, and refuses
 * what would break a bound on unpaid reservations. Passes if the stage has changed since the quote:
 * then the caller quotes again.
 */
export async function requireRoom(
  services: Services,
  quoted: QuotedTerms,
  isFirst: boolean,
  buyer: Buyer,
): Promise<void> {
  const active = requireActiveStage(services, await services.market.readNow())
  const terms = isFirst ? quoted.firstTerms : quoted.terms
  const paymentToken = paymentTokenOf(services.sale, terms.paymentTokenId)
  invariant(paymentToken !== undefined, 'A purchase is quoted in a token of the sale.')
  if (active.stage.id !== terms.stageId) return
  await requireBookable(
    services,
    active,
    paymentToken,
    { ...terms, locked: terms.lockedBonuses },
    buyer,
  )
}

/**
 * Refuses what booking would refuse at this moment, for lack of tokens or for a bound on what is
 * unpaid.
 */
export async function requireBookable(
  services: Services,
  active: Active,
  paymentToken: PaymentToken,
  { usd, locked }: { usd: Usd; locked: LockedBonuses },
  buyer: Buyer,
): Promise<void> {
  const { stage, progress } = active
  const left = remaining(stage, progress)
  const tokens = tokensFor(usd, stage, progress, locked).total
  if (tokens > left) {
    const { available } = spendingLimits(stage, progress, paymentToken, locked)
    if (available <= 0n || isDust(stage, progress, left)) throw new Refusal('NoTokensLeft')
    throw new Refusal('NoTokensLeft', {
      message: `Only ${usdText(available)} worth of tokens are left right now`,
    })
  }
  await requireReservable(services, active, { usd, tokens, paymentToken, locked }, buyer)
}

/** What the bounds need to know about a buyer; both are null without a login. */
export type Buyer = { userId: string | null; connectionHash: Uint8Array | null }

type Active = { stage: Stage; progress: StageProgress }
type Wanted = { usd: Usd; tokens: TokenAmount; paymentToken: PaymentToken; locked: LockedBonuses }

/**
 * A keyed hash of the buyer's connection, stored instead of the address while a purchase is unpaid.
 */
export function connectionHashOf(secretKey: Secret, { address }: Client): Uint8Array {
  const text = `connection ${sharedConnectionOf(address)}`
  return createHmac('sha256', secretKey.reveal()).update(text).digest()
}

/**
 * Refuses what would break a bound on unpaid reservations, by the same rule as booking; the message
 * names the bound and when to try again. Reasons: `TooManyOpenPurchases`, `PurchasesLapsed`,
 * `UserWorthReached`, `ConnectionWorthReached`, `UnpaidShareReached`.
 */
async function requireReservable(services: Services, active: Active, wanted: Wanted, buyer: Buyer) {
  const { sale, database, clock } = services
  const { expireAfterMs } = sale.purchases
  const now = clock.now()
  const bounds = reservationBounds(sale, active.stage)
  const unpaid = await loadUnpaid(database, active.stage.id, buyer)
  const broken = brokenBound({ ...wanted, now, expireAfterMs }, active, bounds, unpaid)
  if (broken === null) return
  const until = await retryAt(services, broken, unpaid, active.stage.id, buyer)
  const retryAfterSeconds = until === null ? null : secondsBetween(now, until)
  const { paymentToken } = await withRailMinimum(services, wanted.paymentToken)
  const facts = { active, wanted: { ...wanted, paymentToken }, bounds, unpaid }
  throw new Refusal(reasons[broken], {
    message: `${sentenceOf(broken, facts)}${retryText(broken, retryAfterSeconds)}`,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  })
}

const reasons: Record<BrokenBound, (typeof boundReasons)[number]> = {
  open: 'TooManyOpenPurchases',
  lapsed: 'PurchasesLapsed',
  user: 'UserWorthReached',
  connection: 'ConnectionWorthReached',
  share: 'UnpaidShareReached',
}

/** When the bound will next loosen without a payment; null if it will not. */
async function retryAt(
  { database, sale }: Services,
  broken: BrokenBound,
  unpaid: UnpaidNow,
  stageId: string,
  { userId }: Buyer,
): Promise<Date | null> {
  switch (broken) {
    case 'open':
    case 'user':
      return unpaid.expiresAt
    case 'lapsed':
      return waitsUntil(unpaid, sale.purchases.expireAfterMs)
    case 'connection':
      return unpaid.connectionExpiresAt
    case 'share':
      // Without a login no time is given: the open preview never queries the database.
      return userId === null ? null : findFirstExpiry(database, stageId, userId)
  }
}

const RETRY_SECONDS_MIN = 10

/** A purchase past its expiry waits only for its chain to be read, which takes moments. */
function secondsBetween(now: Date, until: Date): number {
  return Math.max(RETRY_SECONDS_MIN, Math.ceil((until.getTime() - now.getTime()) / 1_000))
}

type Facts = { active: Active; wanted: Wanted; bounds: ReservationBounds; unpaid: UnpaidNow }

function sentenceOf(broken: BrokenBound, facts: Facts): string {
  const { bounds, unpaid } = facts
  switch (broken) {
    case 'open': {
      const max = openMax(bounds, unpaid)
      const many = `${max} unpaid ${max === 1 ? 'purchase' : 'purchases'} at a time`
      return max === bounds.openPerUserMax
        ? `You may have ${many}. `
        : `You let purchases end without paying, so you may have ${many} until you pay one. `
    }
    case 'lapsed':
      return `You let ${unpaid.lapses} purchases end without paying, so the next one has to wait. `
    case 'user':
      return valueText('One account', bounds.worthPerUserMax, unpaid.usd, minimumOf(facts))
    case 'connection':
      return valueText(
        'One network',
        bounds.worthPerConnectionMax,
        unpaid.connectionUsd,
        minimumOf(facts),
      )
    case 'share':
      return shareText(facts)
  }
}

/** The least that booking accepts at this moment: no refusal suggests an amount below it. */
function minimumOf({ active: { stage, progress }, wanted }: Facts): Usd {
  return spendingLimits(stage, progress, wanted.paymentToken).min
}

function valueText(who: string, max: Usd | null, open: Usd, min: Usd): string {
  const most = `${who} may reserve ${usdText(max ?? usd(0n))} at a time without paying`
  const left = usd((max ?? 0n) - open)
  if (open <= 0n) return `${most}. `
  if (left <= 0n) return `${most}, and none of that is left right now. `
  return left < min
    ? `${most}, and what is left of that is less than the smallest purchase. `
    : `${most}. ${usdText(left)} of that is left right now. `
}

function shareText(facts: Facts) {
  const { stage, progress } = facts.active
  const { paymentToken, locked } = facts.wanted
  const hidden = subtract(remaining(stage, progress), shareLeft(stage, progress, facts.bounds))
  const asIfLess = { ...progress, reserved: add(progress.reserved, hidden) }
  const { available } = spendingLimits(stage, asIfLess, paymentToken, locked)
  return available >= minimumOf(facts) && available > 0n
    ? `Others have not paid for their reservations yet, so only ${usdText(available)} worth of tokens can be reserved right now. `
    : 'Buyers have reserved as much as they may before paying. '
}

function retryText(broken: BrokenBound, seconds: number | null): string {
  if (seconds === null) return broken === 'share' ? 'Try again in a while' : 'Spend less'
  return broken === 'open' || broken === 'user'
    ? `Pay first, or try again ${waitText(seconds)}`
    : `Try again ${waitText(seconds)}`
}
