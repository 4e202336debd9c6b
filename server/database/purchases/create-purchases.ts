import type { LiveChange } from '#domain/live-change.ts'
import { price, tokenAmount } from '#domain/money.ts'
import type { Booking, PurchaseRequest } from '#domain/sale/booking.ts'
import { shareMinTokens } from '#domain/sale/reservation.ts'
import { reservationTransfers } from '#domain/settlement/ledger.ts'
import { newPurchase, type Purchase } from '#domain/settlement/stored-purchase.ts'
import { transferRows } from '#server/database/books/ledger.ts'
import { mailRow } from '#server/database/books/outbox.ts'
import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import { jsonRow } from '#server/database/tables/json-row.ts'
import { purchaseRow, reservationColumns } from './purchase.ts'

type OutcomeRow = {
  outcome: Booking['outcome']
  purchase_id: string
  is_first: boolean
  stage_reserved: bigint
  stage_sold: bigint
  stage_token_price: bigint
}

const STATEMENT = 'select * from create_purchases($1, $2::jsonb)'

/**
 * Books purchases of one stage, at most one for each user, in one statement. The results are in the
 * order of the requests. The rows are built here; the function in the schema locks, checks and
 * inserts them.
 */
export async function createPurchases(
  open: Pick<OpenDatabase, 'runNamed'>,
  stageId: string,
  requests: readonly PurchaseRequest[],
): Promise<Booking[]> {
  const rows = await open.runNamed<OutcomeRow>('create_purchases', STATEMENT, [
    stageId,
    JSON.stringify(requests.map(toElement)),
  ])
  return rows.map(toBooking)
}

/**
 * Everything that is written with a purchase. Only under the lock is it known to be a first one.
 */
function toElement(request: PurchaseRequest) {
  const purchase = newPurchase(request, false)
  const first = newPurchase(request, true)
  const { id, userId, terms, outcome } = purchase
  const { createdAt: at } = terms
  return {
    purchase: jsonRow(purchaseRow(purchase)),
    if_first: {
      purchase: jsonRow(reservationColumns(first)),
      transfers: reservation(first),
    },
    status: { purchase_id: id, status: outcome.status, status_reason: outcome.reason, at },
    transfers: reservation(purchase),
    mail: mailRow({
      userId,
      kind: 'purchase_created',
      params: { purchase_id: id },
      uniqueKey: `purchase_created:${id}`,
      at,
    }),
    change: { kind: 'purchase', userId, transactionId: id } satisfies LiveChange,
    bounds: boundsOf(request),
  }
}

function reservation({ id: causeId, userId, terms }: Purchase) {
  const transfers = reservationTransfers(terms.stageId, terms.reserved)
  const entries = transfers.map((transfer) => ({ ...transfer, causeId, userId }))
  return transferRows(entries, terms.createdAt).map(jsonRow)
}

function boundsOf({ bounds, terms }: PurchaseRequest) {
  return jsonRow({
    open_max: bounds.openPerUserMax,
    user_worth_max: bounds.worthPerUserMax,
    connection_worth_max: bounds.worthPerConnectionMax,
    unpaid_share: bounds.unpaidShare,
    share_min: shareMinTokens(bounds, terms.tokenPrice, terms.tokenDecimals),
  })
}

function toBooking(row: OutcomeRow): Booking {
  return {
    outcome: row.outcome,
    purchaseId: row.purchase_id,
    isFirst: row.is_first,
    progress: { reserved: tokenAmount(row.stage_reserved), sold: tokenAmount(row.stage_sold) },
    tokenPrice: price(row.stage_token_price),
  }
}
