import type { Crediting } from './credit.ts'
import { add, cryptoAmount, subtract, type TokenAmount, tokenAmount, usd } from '#domain/money.ts'
import type {
  PurchaseFacts,
  PurchaseOutcome,
  PurchaseStatus,
  ReceiptFact,
  RefundDue,
  StatusReason,
} from './purchase.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import { hasExpired, isConfirmed, type Money, sum, unspent, type Verdict } from './verdict.ts'
import { covers, isOnTime, isOverpaid } from './worth.ts'

const NO_TOKENS = tokenAmount(0n)
const NO_CRYPTO = cryptoAmount(0n)
const NO_CREDIT = { usd: usd(0n), crypto: NO_CRYPTO, base: NO_TOKENS, bonuses: {} }

/** The outcome where money is turned into tokens. */
export function withCredit(
  facts: PurchaseFacts,
  money: Money,
  crediting: Crediting,
): PurchaseOutcome {
  const { terms } = facts
  const { usd: paidUsd, crypto, base, bonuses } = crediting
  const own = { stageId: terms.stageId, tokens: crediting.reservationUsed }
  return {
    ...creditStatus(terms, money, crediting),
    reserved: NO_TOKENS,
    allocations: byStage([own, ...crediting.grants]),
    credited: crediting.total === 0n ? NO_CREDIT : { usd: paidUsd, crypto, base, bonuses },
    due: NO_CRYPTO,
    confirmations: fewestConfirmations(money.confirmed),
    refunds: [...restRefunds(terms, money, crediting), ...foreignRefunds(money)].filter(isOwed),
    booked: booked(money),
    grants: crediting.grants,
    reservationLeft: crediting.reservationUsed,
    grantsWanted: crediting.wanted === null ? [] : [crediting.wanted],
  }
}

/** What could not be credited, or everything where not a single token could. */
function restRefunds(terms: PurchaseTerms, money: Money, crediting: Crediting): RefundDue[] {
  const isEmpty = crediting.total === 0n
  const rests = isEmpty ? money.confirmed.map(unspent).map(asRest) : crediting.rests
  return rests.map(({ receipt, amount, isBeyondDue }) => {
    const why = !isOnTime(terms, receipt) ? 'late' : isBeyondDue ? 'overpaid' : 'failed'
    return { receiptId: receipt.id, amount, why }
  })
}

const asRest = (receipt: ReceiptFact) => ({
  receipt,
  amount: receipt.amount,
  isBeyondDue: false,
})

/** Without a single token, because no stage had any, nothing was completed. */
function creditStatus(
  terms: PurchaseTerms,
  money: Money,
  crediting: Crediting,
): Pick<PurchaseOutcome, 'status' | 'reason'> {
  const punctual = money.onTime.filter(isConfirmed)
  if (crediting.total === 0n) {
    return punctual.length > 0
      ? { status: 'failed', reason: null }
      : { status: 'expired', reason: 'late' }
  }
  if (covers(terms, sum(punctual))) {
    const reason = isOverpaid(terms, sum(money.confirmed)) ? 'overpaid' : null
    return { status: 'completed', reason }
  }
  const isAnyLate = money.confirmed.length > punctual.length
  return { status: 'completed', reason: isAnyLate ? 'late' : 'underpaid' }
}

/** The outcome where nothing is credited, for now or for good. */
export function withoutCredit(
  facts: PurchaseFacts,
  money: Money,
  verdict: Exclude<Verdict, 'credit'>,
): PurchaseOutcome {
  const { terms, reservationLeft } = facts
  const isOpen = verdict === 'pending' || verdict === 'processing' || verdict === 'held'
  const keepsReservation = isOpen && (money.onTime.length > 0 || !hasExpired(facts))
  const reserved = keepsReservation ? reservationLeft : NO_TOKENS
  const missing = subtract(terms.cryptoDue, sum(money.onTime.map(unspent)))
  return {
    status: STATUSES[verdict],
    reason: openReason(terms, money, verdict),
    reserved,
    allocations: [],
    credited: NO_CREDIT,
    due: verdict === 'pending' ? missing : NO_CRYPTO,
    confirmations: fewestConfirmations(money.alive),
    refunds: [
      ...(isOpen ? [] : money.confirmed.map((receipt) => refundAll(terms, receipt, verdict))),
      ...foreignRefunds(money),
    ].filter(isOwed),
    booked: booked(money),
    grants: [],
    reservationLeft: reserved,
    grantsWanted: [],
  }
}

const STATUSES: Record<Exclude<Verdict, 'credit'>, PurchaseStatus> = {
  pending: 'pending',
  processing: 'processing',
  held: 'processing',
  expired: 'expired',
  underpaid: 'failed',
  stopped: 'failed',
}

function refundAll(terms: PurchaseTerms, receipt: ReceiptFact, verdict: Verdict): RefundDue {
  const { id: receiptId, amount } = unspent(receipt)
  if (verdict === 'stopped') return { receiptId, amount, why: 'failed' }
  return { receiptId, amount, why: isOnTime(terms, receipt) ? 'underpaid' : 'late' }
}

function openReason(
  terms: PurchaseTerms,
  money: Money,
  verdict: Exclude<Verdict, 'credit'>,
): StatusReason | null {
  if (verdict === 'stopped') return null
  if (verdict === 'held') return 'held'
  if (verdict === 'underpaid') return 'underpaid'
  const isLateMoneyHere = money.alive.length > money.onTime.length
  if (verdict === 'expired' && isLateMoneyHere) return 'late'
  // Money that was confirmed once and is not any more explains more than what is missing now.
  const lost = [...money.alive, ...money.gone].filter((receipt) => !isConfirmed(receipt))
  if (lost.some(({ wasConfirmed }) => wasConfirmed)) return 'reorged'
  if (money.onTime.length > 0 && !covers(terms, sum(money.onTime))) return 'underpaid'
  if (verdict === 'processing') return money.onTime.length > 0 ? null : 'late'
  if (money.gone.length > 0) return 'reorged'
  return money.foreign.length > 0 ? 'wrong_asset' : null
}

/** Transfers of nothing exist, such as those that make a stranger's address look familiar. */
function isOwed({ amount }: RefundDue): boolean {
  return amount > 0n
}

function foreignRefunds(money: Money): RefundDue[] {
  return money.foreign
    .filter(isConfirmed)
    .map(unspent)
    .map(({ id, amount }) => ({ receiptId: id, amount, why: 'wrong_asset' }))
}

function booked(money: Money): PurchaseOutcome['booked'] {
  return [...money.confirmed, ...money.foreign.filter(isConfirmed)].map(({ id, amount }) => ({
    receiptId: id,
    amount,
  }))
}

function fewestConfirmations(receipts: readonly ReceiptFact[]): number {
  return receipts.length === 0 ? 0 : Math.min(...receipts.map((each) => each.confirmations))
}

function byStage(parts: PurchaseOutcome['allocations']): PurchaseOutcome['allocations'] {
  const sums = new Map<string, TokenAmount>()
  for (const { stageId, tokens } of parts) {
    if (tokens > 0n) sums.set(stageId, add(sums.get(stageId) ?? NO_TOKENS, tokens))
  }
  return [...sums].map(([stageId, tokens]) => ({ stageId, tokens }))
}
