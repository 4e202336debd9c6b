import { Refusal } from '#domain/refusal.ts'
import { type ActionRow, listActionsOfPurchase } from '#server/database/books/operator-actions.ts'
import { listMarksOf, type StoredMark } from '#server/database/settlement/settlements.ts'
import {
  type FoundPurchase,
  listStatusesOf,
  listTransfersOf,
  searchPurchases,
  type StatusRow,
  type TransferRow,
} from '#server/database/purchases/purchase-records.ts'
import { listReceipts, type Receipt } from '#server/database/purchases/receipts.ts'
import { listRefundRowsOf, type RefundRow } from '#server/database/settlement/refunds.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'

/** One purchase with everything that was recorded of it. */
export type PurchaseRecord = {
  purchase: FoundPurchase
  /** All of them, also what is gone and what is of another asset. */
  receipts: readonly (Receipt & { explorerUrl: string | null })[]
  refunds: readonly RefundRow[]
  marks: readonly StoredMark[]
  history: readonly StatusRow[]
  transfers: readonly TransferRow[]
  actions: readonly ActionRow[]
}

/** A purchase of anybody, in full. Refuses with `NotFound`. */
export async function getPurchaseRecord(services: Services, id: string): Promise<PurchaseRecord> {
  const { database, rails } = services
  const search = { status: null, email: null, id, address: null }
  const [purchase] = isId(id) ? await searchPurchases(database, search, null, 1) : []
  if (purchase === undefined) {
    throw new Refusal('NotFound', { message: 'There is no purchase with this id' })
  }
  const receipts = (await listReceipts(database, [id])).get(purchase.id) ?? []
  const rail = rails.get(purchase.rail)
  return {
    purchase,
    receipts: receipts.map((receipt) => ({
      ...receipt,
      explorerUrl: rail?.explorerUrl(receipt.chain, receipt.transactionHash) ?? null,
    })),
    refunds: await listRefundRowsOf(database, id),
    marks: await listMarksOf(database, id),
    history: await listStatusesOf(database, id),
    transfers: await listTransfersOf(database, id),
    actions: await listActionsOfPurchase(database, id),
  }
}
