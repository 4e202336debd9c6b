import { type ApprovalRow, listEndedMarks } from '#server/database/operators/approvals.ts'
import type { RailName } from '#domain/sale/sale.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { WaitingActs } from './waiting-acts.ts'

/** A request to mark a refund as paid that was not done, and the transaction that it names. */
export type EndedMark = { asked: ApprovalRow; hash: string; explorerUrl: string | null }

type Owed = { receipt_id: string; purchase_id: string; rail: RailName; chain: string }

/** By receipt, the newest request to mark it as paid, where that has ended without being done. */
export async function findEndedMarks(
  { rails, clock }: Services,
  database: Database,
  owed: readonly Owed[],
): Promise<ReadonlyMap<string, EndedMark>> {
  const purchaseIds = [...new Set(owed.map((each) => each.purchase_id))]
  const rows = await listEndedMarks(database, { purchaseIds, now: clock.now() })
  const marks = new Map(rows.map((asked) => [asked.about, asked]))
  return new Map(
    owed.flatMap(({ receipt_id: receiptId, rail, chain }) => {
      const asked = marks.get(receiptId)
      if (asked === undefined) return []
      const { hash } = asked.input as WaitingActs['payRefund']
      const explorerUrl = rails.get(rail)?.explorerUrl(chain, hash) ?? null
      return [[receiptId, { asked, hash, explorerUrl }] as const]
    }),
  )
}
