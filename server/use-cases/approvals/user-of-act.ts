import { findClaim } from '#server/database/refunds/claims.ts'
import type { ApprovalRow } from '#server/database/operators/approvals.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'

/**
 * The user whom a waiting act is about; undefined if that is a purchase, or more than one person.
 */
export async function userOfAct(
  transaction: DatabaseTransaction,
  { act, about }: Pick<ApprovalRow, 'act' | 'about'>,
): Promise<string | undefined> {
  if (about === null) return undefined
  if (act === 'changeUserWallet') return about
  if (act === 'approveRefundClaim') return (await findClaim(transaction, about))?.user_id
  return undefined
}
