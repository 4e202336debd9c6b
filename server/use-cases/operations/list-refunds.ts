import { wrongField } from '#domain/refusal.ts'
import type { RefundState } from '#domain/settlement/outcome.ts'
import {
  countRefunds,
  listRefundRows,
  type OwedAsset,
  type RefundCounts,
  type RefundPlace,
  type RefundRow,
  sumOwed,
} from '#server/database/settlement/refunds.ts'
import { countUnmatched } from '#server/database/operators/inbox.ts'
import type { Services } from '#server/services.ts'

/** A refund with links to where its transactions can be seen; null if no explorer is known. */
export type Refund = RefundRow & {
  receiptExplorerUrl: string | null
  paidExplorerUrl: string | null
}

export type RefundPage = {
  items: readonly Refund[]
  /** Where the next page begins; null if this is the last one. */
  after: string | null
  /** What is owed in all, by asset, not just on this page. */
  owed: readonly OwedAsset[]
  /** How many there are in each state. */
  counts: RefundCounts
  /** How many transfers belong to no purchase, and so to no refund. */
  unmatchedCount: number
}

/**
 * Refunds in one state or in any, longest owed first. Refuses with `InvalidInput` for an invalid
 * cursor.
 */
export async function listRefunds(
  services: Services,
  input: { state: RefundState | 'all'; after?: string | undefined; limit: number },
): Promise<RefundPage> {
  const { database } = services
  const { state, after, limit } = input
  const start = after === undefined ? null : readPlace(after)
  const rows = await listRefundRows(database, { state, start, countMax: limit + 1 })
  const next = rows[limit]
  return {
    items: rows.slice(0, limit).map((row) => withExplorers(services, row)),
    after: next === undefined ? null : writePlace(next),
    owed: await sumOwed(database),
    counts: await countRefunds(database),
    unmatchedCount: await countUnmatched(database),
  }
}

/** Adds links to where the transactions of a refund can be seen. */
export function withExplorers({ rails }: Pick<Services, 'rails'>, row: RefundRow): Refund {
  const rail = rails.get(row.rail)
  const explorerUrl = (hash: string) => rail?.explorerUrl(row.chain, hash) ?? null
  return {
    ...row,
    receiptExplorerUrl: explorerUrl(row.receipt_hash),
    paidExplorerUrl: row.paid_hash === null ? null : explorerUrl(row.paid_hash),
  }
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
