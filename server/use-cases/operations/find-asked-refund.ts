import type { ApprovalRow } from '#server/database/operators/approvals.ts'
import { listRefundRowsOf } from '#server/database/settlement/refunds.ts'
import type { Services } from '#server/services.ts'
import type { WaitingActs } from '#server/use-cases/approvals/waiting-acts.ts'
import { viewRefunds } from './list-refunds.ts'

/**
 * The refund that a request would mark as paid, or has marked, and where the transaction that is
 * said to have paid it can be seen. Null for any other request, if it is
 * over without that, and if nothing is owed any more.
 */
export async function findAskedRefund(
  services: Services,
  { act, input, about, state: asked, purchase_id: purchaseId }: ApprovalRow,
) {
  if (act !== 'payRefund' || purchaseId === null) return null
  const { hash } = input as WaitingActs['payRefund']
  const rows = (await listRefundRowsOf(services.database, purchaseId)).filter(
    ({ receipt_id: receiptId }) => receiptId === about,
  )
  // The same receipt may have been paid back in part before, and owe something else once a request
  // is over.
  const isAsked = asked === 'waiting' || asked === 'approved'
  const row =
    rows.find(({ paid_hash: paidHash }) => paidHash === hash) ??
    rows.find(({ state }) => isAsked && state === 'open')
  if (row === undefined) return null
  const [refund] = await viewRefunds(services, services.database, [row])
  if (refund === undefined) return null
  const sentExplorerUrl = services.rails.get(row.rail)?.explorerUrl(row.chain, hash) ?? null
  return { refund, sentExplorerUrl }
}
