import type { OperatorMark } from '#domain/settlement/facts.ts'
import { Refusal } from '#domain/refusal.ts'
import { insertMark, listMarksOf } from '#server/database/settlement/settlements.ts'
import { findPurchase, lockPurchases } from '#server/database/purchases/purchases.ts'
import { requestSettlements } from '#server/database/purchases/settlements-due.ts'
import type { Services } from '#server/services.ts'
import { getPurchaseRecord, type PurchaseRecord } from './get-purchase-record.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { type Operator, recordAction } from './operator-actions.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'

const acts = {
  held: 'holdPurchase',
  released: 'releasePurchase',
  failed: 'failPurchase',
} as const satisfies Record<OperatorMark['kind'], string>

/**
 * Records an operator's mark on a purchase and settles it. Repeating the last mark changes nothing.
 * Refuses with `NotFound`, and `NotMarked` where there is nothing to release.
 */
export async function markPurchase(
  services: Services,
  { id, kind, reason }: { id: string; kind: OperatorMark['kind']; reason: string },
  operator: Operator,
): Promise<PurchaseRecord> {
  const { database, clock } = services
  if (!isId(id) || (await findPurchase(database, id)) === null) {
    throw new Refusal('NotFound', { message: 'There is no purchase with this id' })
  }
  await database.transaction().execute(async (transaction) => {
    // `settlements_due` before the purchase, the order in which settling locks them.
    await requestSettlements(transaction, [id])
    await lockPurchases(transaction, [id])
    const last = (await listMarksOf(transaction, id)).at(-1)
    if (kind === 'released' && last?.kind !== 'held' && last?.kind !== 'failed') {
      throw new Refusal('NotMarked')
    }
    if (last?.kind === kind) return
    // The newest mark counts, so it has to be newer than the last one even if the clock went back.
    const at = new Date(Math.max(clock.now().getTime(), (last?.at.getTime() ?? 0) + 1))
    await insertMark(transaction, id, { kind, at, reason })
    const action = { act: acts[kind], purchaseId: id, details: { reason } }
    await recordAction(services, transaction, operator, action)
  })
  await settleDue(services)
  return await getPurchaseRecord(services, id)
}
