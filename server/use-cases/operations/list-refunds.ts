import { wrongField } from '#domain/refusal.ts'
import {
  listRefundRows,
  type OwedAsset,
  type RefundPlace,
  type RefundRow,
  sumOwed,
} from '#server/database/settlement/refunds.ts'
import type { Services } from '#server/services.ts'

export type RefundPage = {
  items: readonly RefundRow[]
  /** Where the next page begins; null where this is the last one. */
  after: string | null
  /** What is owed in all, by asset: more than this page. */
  owed: readonly OwedAsset[]
}

/** Refunds, the longest owed first. Refuses with `InvalidInput` for a cursor that is none. */
export async function listRefunds(
  { database }: Services,
  input: { isAll: boolean; after?: string | undefined; limit: number },
): Promise<RefundPage> {
  const { isAll, after, limit } = input
  const start = after === undefined ? null : readPlace(after)
  const rows = await listRefundRows(database, { isAll, start, countMax: limit + 1 })
  const next = rows[limit]
  return {
    items: rows.slice(0, limit),
    after: next === undefined ? null : writePlace(next),
    owed: await sumOwed(database),
  }
}

/**
 * A cursor is a position and not the id of a refund: one that is paid meanwhile leaves the list,
 * and the next page has to be found all the same.
 */
function writePlace({ since, receipt_id, payment_id }: RefundRow): string {
  return `${since.toISOString()}_${receipt_id}_${payment_id}`
}

const PLACE =
  /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\d{1,18})$/

function readPlace(text: string): RefundPlace {
  const [, since = '', receiptId = '', paymentId = ''] = PLACE.exec(text) ?? []
  const at = new Date(since)
  if (Number.isNaN(at.getTime())) {
    throw wrongField('after', 'Must be what the page before this one says after')
  }
  return { since: at, receiptId, paymentId: BigInt(paymentId) }
}
