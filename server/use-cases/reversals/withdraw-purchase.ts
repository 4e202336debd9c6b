import { Refusal } from '#domain/refusal.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import {
  findPurchase,
  lockPurchases,
  requestSettlements,
} from '#server/database/purchases/purchases.ts'
import { reversePurchase } from '#server/database/purchases/reversals.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import {
  clearCodeTries,
  finishProof,
  lockCaller,
  type OwnerProof,
  requireOwnerProof,
} from '#server/use-cases/access/user-account.ts'
import {
  findTransactionView,
  type TransactionView,
} from '#server/use-cases/purchases/transaction-view.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'

type Withdrawal = OwnerProof & { id: string }

/**
 * Withdraws the caller from one of their purchases, for good: its tokens go back to their stage,
 * what was paid is owed back in the same coin, and a mail acknowledges the withdrawal with its
 * content, date and time (Directive 2011/83/EU, Article 11a). Withdrawing again changes nothing.
 * Refuses with `NotFound`, `NotWithdrawable`, `WrongPassword`, with `InvalidInput` and `WrongCode`
 * if two-factor login is on, `Busy`, `TooManyRequests`.
 */
export async function withdrawPurchase(
  services: Services,
  { id, ...proof }: Withdrawal,
  caller: Caller,
): Promise<TransactionView> {
  const { database, clock } = services
  // What counts is when the statement came, however long its password has to wait.
  const at = clock.now()
  const own = isId(id) ? await findPurchase(database, id) : null
  if (own?.userId !== caller.userId) throw new Refusal('NotFound')
  requireWithdrawable(own, at)
  const code = await requireOwnerProof(services, proof, caller)

  const usedCode = await database.transaction().execute(async (transaction) => {
    // `settlements_due` before the user and the purchase: settling locks them in this order.
    await requestSettlements(transaction, [id])
    // The code is used up below, and not if this is a repetition.
    await lockCaller(transaction, caller)
    const [purchase] = await lockPurchases(transaction, [id])
    if (purchase === undefined) throw new Refusal('NotFound')
    requireWithdrawable(purchase, at)
    if (purchase.reversal !== null) return null
    await finishProof(services, transaction, caller, code)
    await reversePurchase(transaction, id, { kind: 'withdrawn', at })
    await enqueueMail(transaction, {
      userId: caller.userId,
      kind: 'purchase_withdrawn',
      params: { purchase_id: id },
      uniqueKey: `purchase_withdrawn:${id}`,
      at,
    })
    return code
  })
  await clearCodeTries(services, caller, usedCode)
  await settleDue(services)
  const view = await findTransactionView(services, id)
  if (view === null) throw new Refusal('NotFound')
  return view
}

/** A withdrawn purchase is left alone; one that ended in another way no longer binds anybody. */
function requireWithdrawable({ reversal, outcome, terms }: Purchase, at: Date): void {
  if (reversal?.kind === 'withdrawn') return
  const { withdrawableUntil } = terms
  if (withdrawableUntil === null) {
    throw new Refusal('NotWithdrawable', {
      message: 'This purchase was made without a right to withdraw from it',
    })
  }
  const isOver = outcome.status === 'failed' || outcome.status === 'expired'
  if (reversal !== null || isOver) {
    throw new Refusal('NotWithdrawable', { message: 'This purchase has ended already' })
  }
  if (at >= withdrawableUntil) throw new Refusal('NotWithdrawable')
}
