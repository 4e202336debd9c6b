import { createHash } from 'node:crypto'

import type { PurchaseOutcome, RefundDue } from '#domain/settlement/outcome.ts'
import { enqueueMails, type MailKind, type NewMail } from '#server/database/books/outbox.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { SettledPurchase } from '#server/database/settlement/save-settlements.ts'

/**
 * Mails buyers about their purchases: once for each entry in a purchase's history, once for each
 * time that a completed purchase gains or loses tokens, and once for each payment that is owed
 * back, or more of it.
 */
export async function enqueuePurchaseMails(
  transaction: DatabaseTransaction,
  settled: readonly Pick<SettledPurchase, 'purchase' | 'outcome' | 'booked'>[],
  historyIds: ReadonlyMap<string, bigint>,
  at: Date,
): Promise<void> {
  const mails = settled.flatMap((each) => mailsAbout(each, historyIds.get(each.purchase.id), at))
  await enqueueMails(transaction, mails)
}

function mailsAbout(
  { purchase, outcome, booked }: Pick<SettledPurchase, 'purchase' | 'outcome' | 'booked'>,
  historyId: bigint | undefined,
  at: Date,
): NewMail[] {
  const { id, userId } = purchase
  const mail = (kind: MailKind, event: string, params: Record<string, string> = {}): NewMail => ({
    userId,
    kind,
    params: { purchase_id: id, ...params },
    uniqueKey: `${kind}:${id}:${event}`,
    at,
  })
  const mails: NewMail[] = []
  const gained = tokensIn(outcome.allocations) - tokensIn(booked.allocations)
  const listed = newlyOwed(booked.refunds, outcome.refunds)
  const kind = mailKindFor(purchase.outcome, outcome, { gained, isOwedMore: listed.length > 0 })
  if (kind !== null) {
    // If tokens come or go without a new status, the instant identifies the event.
    const event = String(historyId ?? at.toISOString())
    mails.push(mail(kind, event, paramsOf(kind, { before: purchase.outcome, outcome, gained })))
  }
  if (listed.length > 0 && kind !== 'purchase_failed') {
    mails.push(mail('purchase_refund_listed', nameOf(listed)))
  }
  return mails
}

/** What the mail cannot read from the purchase when it is sent. */
function paramsOf(
  kind: MailKind,
  { before, outcome, gained }: { before: Shown; outcome: PurchaseOutcome; gained: bigint },
): Record<string, string> {
  if (kind === 'purchase_topped_up' || kind === 'purchase_reversed') {
    if (outcome.status !== 'completed') return {}
    return { tokens: String(tokensIn(outcome.allocations)), gained: String(gained) }
  }
  if (kind !== 'purchase_processing' && kind !== 'purchase_failed') return {}
  // It may have been complete before it was held, unless too little came.
  const mayHaveBeen = before.reason === 'held' && outcome.reason !== 'underpaid'
  const wasCredited = gained < 0n || (kind === 'purchase_failed' && mayHaveBeen)
  return wasCredited ? { was_credited: 'true' } : {}
}

type Shown = Pick<PurchaseOutcome, 'status' | 'reason' | 'due'>

function mailKindFor(
  before: Shown,
  after: Shown,
  { gained, isOwedMore }: { gained: bigint; isOwedMore: boolean },
): MailKind | null {
  // The buyer gets an acknowledgement of the withdrawal, and a mail about what is owed back.
  if (after.reason === 'withdrawn') return null
  const isUndone = after.reason === 'reorged' && before.reason !== 'reorged'
  if (isUndone && before.status !== 'expired') return 'purchase_reversed'
  if (before.status === after.status) {
    if (after.status === 'completed') return changedMail(gained)
    const isUnderpaid = after.status === 'pending' && after.reason === 'underpaid'
    // The mail before asked for a rest that the rail would now lose.
    const isRestTooSmall = before.due > 0n && after.due === 0n
    const isNews = before.reason !== 'underpaid' || isRestTooSmall
    return isUnderpaid && isNews ? 'purchase_underpaid' : null
  }
  if (after.status === 'pending') return after.reason === 'underpaid' ? 'purchase_underpaid' : null
  // The mail about the refund covers late money: for the buyer nothing has expired.
  if (after.reason === 'late' && isOwedMore && after.status === 'expired') return null
  return `purchase_${after.status}`
}

/** The mail about a purchase that stays completed and gains or loses tokens. */
function changedMail(gained: bigint): MailKind | null {
  if (gained === 0n) return null
  return gained > 0n ? 'purchase_topped_up' : 'purchase_reversed'
}

/** Refunds that are new or larger than before. */
function newlyOwed(before: readonly RefundDue[], after: readonly RefundDue[]): RefundDue[] {
  const amounts = new Map(before.map(({ receiptId, amount }) => [receiptId, amount]))
  return after.filter(({ receiptId, amount }) => amount > (amounts.get(receiptId) ?? 0n))
}

/** A key of fixed length, the same for the same receipts and amounts. */
function nameOf(refunds: readonly RefundDue[]): string {
  const owed = refunds.map(({ receiptId, amount }) => `${receiptId} ${amount}`)
  return createHash('sha256').update(owed.join()).digest('hex')
}

function tokensIn(allocations: PurchaseOutcome['allocations']): bigint {
  return allocations.reduce((total, { tokens }) => total + tokens, 0n)
}
