import { wrongField } from '#domain/refusal.ts'
import type { RefundState } from '#domain/settlement/outcome.ts'
import {
  countRefunds,
  listRefundRows,
  type RefundPlace,
  type RefundRow,
  sumOwed,
} from '#server/database/settlement/refunds.ts'
import { type ApprovalRow, listWaitingAbout } from '#server/database/operators/approvals.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { countUnmatched } from '#server/database/operators/unmatched.ts'
import type { Services } from '#server/services.ts'
import { type EndedMark, findEndedMarks } from '#server/use-cases/approvals/ended-marks.ts'

export type Refund = RefundRow & {
  /** Where its transactions can be seen; null if no explorer is known. */
  receiptExplorerUrl: string | null
  paidExplorerUrl: string | null
  /** Requests to mark it as paid that are not done yet, oldest first. */
  asked: readonly ApprovalRow[]
  /** The newest such request, if that has ended without being done. */
  ended: EndedMark | null
}

export type RefundPage = Awaited<ReturnType<typeof listRefunds>>

/**
 * Refunds in one state or in any, longest owed first, with all that is owed, by asset. Refuses with
 * `InvalidInput` for an invalid cursor.
 */
export async function listRefunds(
  services: Services,
  input: { state: RefundState | 'all'; after: string | null; limit: number },
) {
  const { database } = services
  const { state, after, limit } = input
  const start = after === null ? null : readPlace(after)
  const rows = await listRefundRows(database, { state, start, countMax: limit + 1 })
  const next = rows[limit]
  return {
    items: await viewRefunds(services, database, rows.slice(0, limit)),
    after: next === undefined ? null : writePlace(next),
    owed: await sumOwed(database),
    counts: await countRefunds(database),
    unmatchedCount: await countUnmatched(database),
  }
}

export async function viewRefunds(
  services: Services,
  database: Database,
  rows: readonly RefundRow[],
): Promise<Refund[]> {
  const { rails, clock } = services
  const open = rows.filter(({ state }) => state === 'open')
  const [acts, about] = [['payRefund'], open.map((row) => row.receipt_id)]
  const asked = await listWaitingAbout(database, { acts, about, now: clock.now() })
  const ended = await findEndedMarks(services, database, open)
  return rows.map((row) => {
    const { state, chain, receipt_id: receiptId, paid_hash: paidHash } = row
    const explorerUrl = (hash: string) => rails.get(row.rail)?.explorerUrl(chain, hash) ?? null
    return {
      ...row,
      receiptExplorerUrl: explorerUrl(row.receipt_hash),
      paidExplorerUrl: paidHash === null ? null : explorerUrl(paidHash),
      asked: state === 'open' ? asked.filter((each) => each.about === receiptId) : [],
      ended: (state === 'open' ? ended.get(receiptId) : null) ?? null,
    }
  })
}

/**
 * A cursor is a position and not a refund's id: a refund that is paid meanwhile leaves the list,
 * and the next page must still be found.
 */
function writePlace({ since, receipt_id, payment_id }: RefundRow): string {
  return `${since.toISOString()}_${receipt_id}_${payment_id}`
}

const PLACE =
  /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(-1|\d{1,18})$/

function readPlace(text: string): RefundPlace {
  const [, since = '', receiptId = '', paymentId = ''] = PLACE.exec(text) ?? []
  const at = new Date(since)
  if (Number.isNaN(at.getTime())) {
    throw wrongField('after', 'Must be the value of after in the page before this one')
  }
  return { since: at, receiptId, paymentId: BigInt(paymentId) }
}
