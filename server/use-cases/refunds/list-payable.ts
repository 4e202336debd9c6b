import {
  type ClaimPartRow,
  type ClaimRow,
  listClaimParts,
} from '#server/database/refunds/claims.ts'
import { listPaidBefore } from '#server/database/refunds/former-claims.ts'
import type { Database } from '#server/database/tables/tables.ts'

/**
 * The claims whose money is there and was not sent for a rejected claim, and whose purchases nobody
 * holds.
 */
export async function listPayable(database: Database, claims: readonly ClaimRow[]) {
  const ids = claims.map(({ id }) => id)
  const parts = await listClaimParts(database, ids)
  const paid = new Set((await listPaidBefore(database, ids)).map(({ id }) => id))
  const isPayable = (part: ClaimPartRow) => part.is_covered && !part.is_held
  return claims.filter(({ id }) => !paid.has(id) && (parts.get(id) ?? []).every(isPayable))
}
