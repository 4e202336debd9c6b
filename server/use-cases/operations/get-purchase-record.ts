import { listActionsAbout } from '#server/database/books/operator-actions.ts'
import { inSnapshot } from '#server/database/connection/read-snapshot.ts'
import {
  findFoundPurchase,
  listMailsOf,
  listStatusesOf,
  listTransfersOf,
} from '#server/database/purchases/purchase-records.ts'
import { listCountedReceipts } from '#server/database/purchases/receipts.ts'
import { listRefundRowsOf } from '#server/database/settlement/refunds.ts'
import { listMarksOf } from '#server/database/settlement/settlements.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { noSuchPurchase } from '#server/use-cases/access/no-such-purchase.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { noteOpened } from '#server/use-cases/audit/note-opened.ts'
import { viewRefunds } from './list-refunds.ts'

export type PurchaseRecord = Awaited<ReturnType<typeof readFrom>>

/** Anybody's purchase in full, for an operator who opens it, which is logged and limited. */
export async function getPurchaseRecord(services: Services, id: string, operator: Operator) {
  const record = await readPurchaseRecord(services, id)
  await noteOpened(services, operator, { purchaseId: record.purchase.id })
  return record
}

/** Anybody's purchase in full, as of one moment. Refuses with `NotFound`. */
export async function readPurchaseRecord(services: Services, id: string) {
  return await inSnapshot(services.database, (snapshot) => readFrom(snapshot, services, id))
}

async function readFrom(database: DatabaseTransaction, services: Services, id: string) {
  const { rails } = services
  const purchase = isId(id) ? await findFoundPurchase(database, id) : null
  if (purchase === null) throw noSuchPurchase(id)
  const receipts = await listCountedReceipts(database, purchase.id)
  const rail = rails.get(purchase.rail)
  const refunds = await listRefundRowsOf(database, id)
  return {
    purchase,
    receipts: receipts.map((receipt) => ({
      ...receipt,
      explorerUrl: rail?.explorerUrl(receipt.chain, receipt.transactionHash) ?? null,
    })),
    refunds: await viewRefunds(services, database, refunds),
    marks: await listMarksOf(database, id),
    history: await listStatusesOf(database, id),
    transfers: await listTransfersOf(database, id),
    mails: await listMailsOf(database, purchase),
    actions: await listActionsAbout(database, 'purchase_id', id),
  }
}
