import {
  add,
  type CryptoAmount,
  cryptoAmount,
  greatest,
  least,
  subtract,
  type TokenAmount,
  tokenAmount,
  usd,
  usdForUnits,
} from '#domain/money.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import {
  amountBeingSent,
  hasExpired,
  isConfirmed,
  assess,
  type ClassifiedReceipts,
  classifyReceipts,
  lastToConfirm,
  sum,
  unspent,
  type Assessment,
} from './assessment.ts'
import { type Crediting, creditReceipts, type GiveTokens } from './crediting.ts'
import type { PurchaseFacts, ReceiptFact } from './facts.ts'
import type { PurchaseOutcome, PurchaseStatus, RefundDue, StatusReason } from './outcome.ts'
import { covers, isOnTime, isOverpaid, valueOf } from './valuation.ts'

const NO_TOKENS = tokenAmount(0n)
const NO_CRYPTO = cryptoAmount(0n)
const NO_CREDIT = { usd: usd(0n), crypto: NO_CRYPTO, base: NO_TOKENS, bonuses: {} }

/**
 * The outcome of a purchase, from all its facts. Receipts are taken in the order in which they were
 * first seen, so the order in which facts were recorded makes no difference.
 * @param roomOf How many tokens a stage has neither sold nor reserved, read under its lock.
 */
export function settlePurchase(
  facts: PurchaseFacts,
  roomOf: (stageId: string) => TokenAmount,
): PurchaseOutcome {
  const classified = classifyReceipts(facts)
  const outcome = outcomeOf(facts, classified, roomOf)
  return { ...outcome, refunds: withBeingSent(facts, outcome) }
}

function outcomeOf(
  facts: PurchaseFacts,
  classified: ClassifiedReceipts,
  roomOf: (stageId: string) => TokenAmount,
): PurchaseOutcome {
  const assessment = assess(facts, classified)
  if (assessment !== 'credit') return withoutCredit(facts, classified, assessment)
  const give = stagesThatGive(facts, roomOf)
  return withCredit(facts, classified, creditReceipts(facts, classified.confirmed, give))
}

/** Adds what is being sent to what is owed: until that is decided, it stays owed as it was. */
function withBeingSent(
  { receipts }: PurchaseFacts,
  { refunds }: PurchaseOutcome,
): readonly RefundDue[] {
  const owed = new Map(refunds.map((refund) => [refund.receiptId, refund]))
  for (const receipt of receipts.filter(isConfirmed)) {
    const { id: receiptId, beingSent: sent } = receipt
    if (sent === undefined) continue
    const rest = owed.get(receiptId) ?? { receiptId, amount: NO_CRYPTO, why: sent.why }
    owed.set(receiptId, { ...rest, amount: add(rest.amount, amountBeingSent(receipt)) })
  }
  return [...owed.values()].filter(isOwed)
}

/** Gives receipts what the stages have, each token once. */
function stagesThatGive(
  { terms, reservationLeft }: PurchaseFacts,
  roomOf: (stageId: string) => TokenAmount,
): GiveTokens {
  const given = new Map<string, TokenAmount>()
  return ({ stageId, tokens: wanted }, receipt, reservationUsed) => {
    const alreadyGiven = given.get(stageId) ?? NO_TOKENS
    // What money in time leaves of the reservation goes back to the stage in this same settlement,
    // so the stage can give it. All money in time comes before late money, so this rest is final
    // when the first late receipt asks.
    const isFreed = stageId === terms.stageId && !isOnTime(terms, receipt)
    const freed = isFreed ? subtract(reservationLeft, reservationUsed) : NO_TOKENS
    const room = greatest(NO_TOKENS, subtract(add(roomOf(stageId), freed), alreadyGiven))
    const tokens = least(wanted, room)
    given.set(stageId, add(alreadyGiven, tokens))
    return tokens
  }
}

/** The outcome if money is turned into tokens. */
function withCredit(
  facts: PurchaseFacts,
  classified: ClassifiedReceipts,
  crediting: Crediting,
): PurchaseOutcome {
  const { terms } = facts
  const { usd: paidUsd, crypto, base, bonuses } = crediting
  const own = { stageId: terms.stageId, tokens: crediting.reservationUsed }
  return {
    ...creditStatus(terms, classified, crediting),
    reserved: NO_TOKENS,
    allocations: byStage([own, ...crediting.grants]),
    credited: crediting.total === 0n ? NO_CREDIT : { usd: paidUsd, crypto, base, bonuses },
    due: NO_CRYPTO,
    confirmations: lastToConfirm(classified.confirmed)?.confirmations ?? 0,
    refunds: [...restRefunds(facts, classified, crediting), ...foreignRefunds(classified)].filter(
      isOwed,
    ),
    booked: booked(classified),
    grants: crediting.grants,
    reservationLeft: crediting.reservationUsed,
  }
}

/** What could not be credited, or everything if not a single token could be. */
function restRefunds(
  facts: PurchaseFacts,
  classified: ClassifiedReceipts,
  crediting: Crediting,
): RefundDue[] {
  const isEmpty = crediting.total === 0n
  const rests = isEmpty ? classified.confirmed.map(unspent).map(asRest) : crediting.rests
  return rests.map(({ receipt, amount, isBeyondDue }) => {
    const why = !isOnTime(facts.terms, receipt) ? 'late' : isBeyondDue ? 'overpaid' : 'failed'
    const isOurs = receipt.isUnpriced || isStoppedMeanwhile(facts, crediting, receipt)
    return { receiptId: receipt.id, amount, why: isOurs ? 'failed' : why }
  })
}

/**
 * Whether an operator stopped the purchase once the receipt was there, and its stage has too few
 * tokens for it now: they may have been sold meanwhile, which is not the payer's error. The stage
 * may have lacked them before, since nobody can tell afterwards.
 */
function isStoppedMeanwhile(
  { marks }: PurchaseFacts,
  { grants }: Crediting,
  { id, seenAt }: ReceiptFact,
): boolean {
  const isShort = grants.some((grant) => grant.receiptId === id && grant.isShort)
  return isShort && marks.some(({ kind, at }) => kind !== 'released' && at >= seenAt)
}

const asRest = (receipt: ReceiptFact) => ({
  receipt,
  amount: receipt.amount,
  isBeyondDue: false,
})

/** Without a single token, because no stage had any, nothing was completed. */
function creditStatus(
  terms: PurchaseTerms,
  classified: ClassifiedReceipts,
  crediting: Crediting,
): Pick<PurchaseOutcome, 'status' | 'reason'> {
  const punctual = classified.onTime.filter(isConfirmed)
  if (crediting.total === 0n) {
    return punctual.length > 0
      ? { status: 'failed', reason: null }
      : { status: 'expired', reason: 'late' }
  }
  if (covers(terms, sum(punctual))) {
    const reason = isOverpaid(terms, sum(classified.confirmed)) ? 'overpaid' : null
    return { status: 'completed', reason }
  }
  const isAnyLate = classified.confirmed.length > punctual.length
  return { status: 'completed', reason: isAnyLate ? 'late' : 'underpaid' }
}

/** The outcome if nothing is credited, for now or for good. */
function withoutCredit(
  facts: PurchaseFacts,
  classified: ClassifiedReceipts,
  assessment: Exclude<Assessment, 'credit'>,
): PurchaseOutcome {
  const isOpen = assessment === 'pending' || assessment === 'processing' || assessment === 'held'
  const reserved = isOpen && facts.reversal === null ? stillReserved(facts, classified) : NO_TOKENS
  return {
    status: STATUSES[assessment],
    reason: openReason(facts, classified, assessment),
    reserved,
    allocations: [],
    credited: NO_CREDIT,
    due: assessment === 'pending' ? stillDue(facts, classified) : NO_CRYPTO,
    confirmations: lastToConfirm(classified.alive)?.confirmations ?? 0,
    refunds: [
      ...(isOpen
        ? []
        : classified.confirmed.map((receipt) => refundAll(facts, receipt, assessment))),
      ...foreignRefunds(classified),
    ].filter(isOwed),
    booked: booked(classified),
    grants: [],
    reservationLeft: reserved,
  }
}

/** Once a part has come, a rest that is too little for the rail is not due: it would be lost. */
function stillDue({ terms }: PurchaseFacts, { onTime }: ClassifiedReceipts): CryptoAmount {
  const { cryptoDue, cryptoPrice, cryptoDecimals, railMinUsd } = terms
  const missing = subtract(cryptoDue, sum(onTime.map(unspent)))
  const missingUsd = usdForUnits(missing, cryptoPrice, cryptoDecimals, 'up')
  return onTime.length > 0 && missingUsd < railMinUsd ? NO_CRYPTO : missing
}

/**
 * Once no more money can be in time, only what has come may still use the reservation: a speck that
 * is never confirmed must not hold a fortune. It may yet become the user's first purchase again.
 */
function stillReserved(facts: PurchaseFacts, { onTime }: ClassifiedReceipts): TokenAmount {
  if (!hasExpired(facts)) return facts.reservationLeft
  const { total } = valueOf({ ...facts, isFirstPurchaseBonusLost: false }, onTime)
  return least(facts.reservationLeft, total)
}

const STATUSES: Record<Exclude<Assessment, 'credit'>, PurchaseStatus> = {
  pending: 'pending',
  processing: 'processing',
  held: 'processing',
  expired: 'expired',
  underpaid: 'failed',
  stopped: 'failed',
  reversed: 'failed',
}

function refundAll(
  { terms, reversal }: PurchaseFacts,
  receipt: ReceiptFact,
  assessment: Assessment,
): RefundDue {
  const { id: receiptId, amount } = unspent(receipt)
  // Paying for something that is undone already is the payer's error.
  if (reversal !== null) {
    return { receiptId, amount, why: receipt.seenAt <= reversal.at ? reversal.kind : 'late' }
  }
  if (assessment === 'stopped') return { receiptId, amount, why: 'failed' }
  if (isOnTime(terms, receipt)) return { receiptId, amount, why: 'underpaid' }
  return { receiptId, amount, why: receipt.isUnpriced ? 'failed' : 'late' }
}

function openReason(
  { terms, reversal }: PurchaseFacts,
  classified: ClassifiedReceipts,
  assessment: Exclude<Assessment, 'credit'>,
): StatusReason | null {
  if (assessment === 'stopped') return null
  if (assessment === 'held') return 'held'
  if (assessment === 'reversed') return reversal?.kind ?? null
  if (assessment === 'underpaid') return 'underpaid'
  const isLateMoneyHere = classified.alive.length > classified.onTime.length
  if (assessment === 'expired' && isLateMoneyHere) return 'late'
  // Money that was confirmed once and no longer is explains more than what is missing now.
  const lost = [...classified.alive, ...classified.gone].filter((receipt) => !isConfirmed(receipt))
  if (lost.some(({ wasConfirmed }) => wasConfirmed)) return 'reorged'
  if (!covers(terms, sum(classified.onTime))) {
    if (assessment === 'processing' && isLateMoneyHere) return 'late'
    if (classified.onTime.length > 0) return 'underpaid'
  }
  if (assessment === 'processing') return null
  if (classified.gone.length > 0) return 'reorged'
  return classified.foreign.length > 0 ? 'wrong_asset' : null
}

/** Zero transfers exist, for example to make a stranger's address look familiar. */
function isOwed({ amount }: RefundDue): boolean {
  return amount > 0n
}

function foreignRefunds(classified: ClassifiedReceipts): RefundDue[] {
  return classified.foreign
    .filter(isConfirmed)
    .map(unspent)
    .map(({ id, amount }) => ({ receiptId: id, amount, why: 'wrong_asset' }))
}

/** The `booked` of the outcome, which follows from the receipts alone, whatever stages can give. */
export function bookedReceipts(
  facts: Pick<PurchaseFacts, 'terms' | 'receipts'>,
): PurchaseOutcome['booked'] {
  return booked(classifyReceipts(facts))
}

function booked(classified: ClassifiedReceipts): PurchaseOutcome['booked'] {
  return [...classified.confirmed, ...classified.foreign.filter(isConfirmed)].map(
    ({ id, amount }) => ({
      receiptId: id,
      amount,
    }),
  )
}

function byStage(parts: PurchaseOutcome['allocations']): PurchaseOutcome['allocations'] {
  const sums = new Map<string, TokenAmount>()
  for (const { stageId, tokens } of parts) {
    if (tokens > 0n) sums.set(stageId, add(sums.get(stageId) ?? NO_TOKENS, tokens))
  }
  return [...sums].map(([stageId, tokens]) => ({ stageId, tokens }))
}
