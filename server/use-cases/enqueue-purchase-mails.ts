import { enqueueMail, type MailKind } from '#server/database/outbox.ts'
import type { SettledPurchase } from '#server/database/save-settlements.ts'
import type { DatabaseTransaction } from '#server/database/tables.ts'

/** Tells buyers what became of their purchases, once for each entry in a purchase's history. */
export async function enqueuePurchaseMails(
  transaction: DatabaseTransaction,
  changed: readonly SettledPurchase[],
  historyIds: ReadonlyMap<string, bigint>,
  at: Date,
): Promise<void> {
  for (const { purchase, outcome } of changed) {
    const kind = mailKindFor(purchase, { status: outcome.status, status_reason: outcome.reason })
    if (kind === null) continue
    await enqueueMail(transaction, {
      userId: purchase.user_id,
      kind,
      params: { purchase_id: purchase.id },
      uniqueKey: `${kind}:${purchase.id}:${historyIds.get(purchase.id)}`,
      at,
    })
  }
}

type State = Pick<SettledPurchase['purchase'], 'status' | 'status_reason'>

function mailKindFor(before: State, after: State): MailKind | null {
  const isUndone = after.status_reason === 'reorged' && before.status_reason !== 'reorged'
  if (isUndone && before.status !== 'expired') return 'purchase_reversed'
  if (after.status === 'pending') {
    return after.status_reason === 'underpaid' ? 'purchase_underpaid' : null
  }
  return before.status === after.status ? null : `purchase_${after.status}`
}
