import {
  add,
  type CryptoAmount,
  cryptoAmount,
  least,
  subtract,
  type TokenAmount,
  tokenAmount,
} from '#domain/money.ts'
import type { PurchaseFacts, ReceiptFact } from './facts.ts'
import type { Grant } from './outcome.ts'
import { unspent } from './assessment.ts'
import {
  buyableAmount,
  type Credit,
  isOnTime,
  NOTHING_PAID,
  plus,
  quotedPart,
  type Valuation,
  valuationOf,
} from './valuation.ts'

/** How the confirmed receipts of a purchase were credited, each as far as there was supply. */
export type Crediting = Valuation & {
  crypto: CryptoAmount
  /** What could not be credited, for the receipts with such a rest. */
  rests: readonly { receipt: ReceiptFact; amount: CryptoAmount; isBeyondDue: boolean }[]
  /** What was used of the reservation and of each grant; together they are `total`. */
  reservationUsed: TokenAmount
  grants: readonly Grant[]
}

/**
 * At most this many receipts of one purchase are credited, the largest, and GRANTS_MAX of them
 * beyond the reservation; the rest is owed back. Nobody pays in so many parts, and thousands of
 * dust payments must neither keep the server busy nor take the place of what was really paid.
 */
export const CREDITED_RECEIPTS_MAX = 200
const GRANTS_MAX = 20

type Wanted = Pick<Grant, 'stageId' | 'tokens'>

/** What a stage gives of what a receipt wants; `reservationUsed` is by all receipts before it. */
export type GiveTokens = (
  wanted: Wanted,
  receipt: ReceiptFact,
  reservationUsed: TokenAmount,
) => TokenAmount

/**
 * Credits receipts in the order in which they were first seen. Money that was on time uses the
 * reservation; whatever it buys beyond that, and all that late money buys, needs a grant. Where a
 * stage has too few tokens left, or the maximum is reached, a part of the receipt is not credited.
 *
 * Every receipt is looked at once to choose the largest, and the chosen are credited in one pass.
 * @param give Answers each receipt that wants a grant, once.
 */
export function creditReceipts(
  facts: PurchaseFacts,
  receipts: readonly ReceiptFact[],
  give: GiveTokens,
): Crediting {
  const credited = largestOf(receipts, CREDITED_RECEIPTS_MAX)
  const granted = largestOf([...credited], GRANTS_MAX)
  const steps: Step[] = []
  for (const receipt of credited) {
    const before = steps.at(-1) ?? START
    const giveMore = granted.has(receipt) ? give : null
    steps.push(creditReceipt(facts, unspent(receipt), giveMore, before))
  }
  const { credit, reservationUsed } = steps.at(-1) ?? START
  const valuation = valuationOf(facts, credit)
  return {
    ...valuation,
    crypto: add(credit.lockedCrypto, credit.marketCrypto),
    rests: [
      ...steps.flatMap(({ rest }) => rest ?? []),
      ...receipts
        .filter((receipt) => !credited.has(receipt))
        .map(unspent)
        .map((receipt) => ({
          receipt,
          amount: receipt.amount,
          isBeyondDue: credit.lockedCrypto >= facts.terms.cryptoDue,
        })),
    ],
    ...shareOut(valuation.total, reservationUsed, steps),
  }
}

/** The running totals after a receipt. */
type Step = {
  credit: Credit
  reservationUsed: TokenAmount
  /** Of this receipt and all before it. */
  granted: TokenAmount
  grant: Grant | null
  rest: Crediting['rests'][number] | null
}

const NONE = tokenAmount(0n)
const NO_CRYPTO = cryptoAmount(0n)

const START: Step = {
  credit: NOTHING_PAID,
  reservationUsed: NONE,
  granted: NONE,
  grant: null,
  rest: null,
}

function creditReceipt(
  facts: PurchaseFacts,
  receipt: ReceiptFact,
  give: GiveTokens | null,
  before: Step,
): Step {
  const { terms, reservationLeft } = facts
  const valuationWith = (amount: CryptoAmount) =>
    valuationOf(facts, plus(terms, before.credit, receipt, amount))
  const { maxUsd } = terms
  const buyable = buyableAmount(terms, before.credit, receipt)
  const allowed =
    maxUsd === null
      ? buyable
      : largestWhere(buyable, (amount) => valuationWith(amount).usd <= maxUsd)

  const isPunctual = isOnTime(terms, receipt)
  const own = add(isPunctual ? reservationLeft : before.reservationUsed, before.granted)
  const need = valuationWith(allowed).total
  // What was promised at the locked price is of the purchase's own stage, which has the tokens of a
  // reservation that was given back; anything else, of the stage that was on sale.
  const quoted = isPunctual ? quotedPart(terms, before.credit, receipt) : NO_CRYPTO
  const isPromised = valuationWith(least(allowed, quoted)).total > own
  const stageId = (isPromised ? null : receipt.market?.stageId) ?? terms.stageId
  const wanted = { stageId, tokens: subtract(need, own) }
  const grant =
    give &&
    grantOf(facts, receipt, wanted, (missing) => give(missing, receipt, before.reservationUsed))
  const granted = grant?.tokens ?? NONE
  const supply = add(own, granted)
  const isShort = need > supply
  const isCut = isShort || allowed < buyable
  const taken = isCut
    ? cheapestWithin(
        { from: least(allowed, quotedPart(terms, before.credit, receipt)), to: allowed },
        supply,
        (amount) => valuationWith(amount).total,
      )
    : allowed

  const credit = plus(terms, before.credit, receipt, taken)
  return {
    credit,
    granted: add(before.granted, granted),
    reservationUsed: isPunctual
      ? least(reservationLeft, valuationOf(facts, credit).total)
      : before.reservationUsed,
    grant: grant && { ...grant, isShort },
    rest:
      taken === receipt.amount
        ? null
        : {
            receipt,
            amount: subtract(receipt.amount, taken),
            isBeyondDue: credit.lockedCrypto >= terms.cryptoDue,
          },
  }
}

/** The grant that a receipt has, with what its stage adds where it lacks tokens and may ask. */
function grantOf(
  facts: PurchaseFacts,
  receipt: ReceiptFact,
  { stageId, tokens: lacking }: Wanted,
  ask: (missing: Wanted) => TokenAmount,
): Grant | null {
  const former = facts.grants.find(({ receiptId }) => receiptId === receipt.id) ?? null
  const granted = former?.tokens ?? NONE
  if (lacking <= granted || former?.isShort === true) return former
  const missing = { stageId: former?.stageId ?? stageId, tokens: subtract(lacking, granted) }
  const tokens = add(granted, ask(missing))
  return { receiptId: receipt.id, stageId: missing.stageId, isShort: false, tokens }
}

/**
 * The largest so many receipts, by all that came: paying some of it back moves no receipt. Of equal
 * ones those that were seen first. They stay in the order in which they were seen.
 */
function largestOf(receipts: readonly ReceiptFact[], count: number): ReadonlySet<ReceiptFact> {
  if (receipts.length <= count) return new Set(receipts)
  const sorted = receipts.toSorted((one, other) =>
    one.amount === other.amount ? 0 : one.amount < other.amount ? 1 : -1,
  )
  const largest = new Set(sorted.slice(0, count))
  return new Set(receipts.filter((receipt) => largest.has(receipt)))
}

/** Splits the credited tokens by where they come from: the reservation first, then each grant. */
function shareOut(
  total: TokenAmount,
  reservation: TokenAmount,
  steps: readonly Step[],
): Pick<Crediting, 'reservationUsed' | 'grants'> {
  const reservationUsed = least(reservation, total)
  let left = subtract(total, reservationUsed)
  const grants: Grant[] = []
  for (const { grant } of steps) {
    if (grant === null) continue
    const tokens = least(grant.tokens, left)
    left = subtract(left, tokens)
    if (tokens > 0n || grant.isShort) grants.push({ ...grant, tokens })
  }
  return { reservationUsed, grants }
}

/** The largest amount up to `limit` for which a condition holds that holds for zero. */
function largestWhere(limit: CryptoAmount, holds: (amount: CryptoAmount) => boolean): CryptoAmount {
  if (holds(limit)) return limit
  let [inside, outside] = [0n, limit as bigint]
  while (outside - inside > 1n) {
    const middle = (inside + outside) / 2n
    if (holds(cryptoAmount(middle))) inside = middle
    else outside = middle
  }
  return cryptoAmount(inside)
}

/**
 * The amount up to `to` that buys most of a supply, and of those that buy equally much the least,
 * so that nobody pays for a part of a base unit that is not there. What completes the quoted amount
 * (up to `from`) is taken all the same: with a tolerated shortfall a little less would buy as much.
 */
function cheapestWithin(
  { from, to }: { from: CryptoAmount; to: CryptoAmount },
  supply: TokenAmount,
  tokensFor: (amount: CryptoAmount) => TokenAmount,
): CryptoAmount {
  const most = largestWhere(to, (amount) => tokensFor(amount) <= supply)
  const tokens = tokensFor(most)
  if (tokensFor(from) === tokens) return from
  if (tokensFor(cryptoAmount(0n)) === tokens) return cryptoAmount(0n)
  const tooLittle = largestWhere(most, (amount) => tokensFor(amount) !== tokens)
  return cryptoAmount(tooLittle + 1n)
}
