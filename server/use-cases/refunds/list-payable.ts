import {
  type ClaimPartRow,
  type ClaimRow,
  listClaimParts,
} from '#server/database/refunds/claims.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** The claims whose money is there and whose purchases nobody holds. */
export async function listPayable(database: Database, claims: readonly ClaimRow[]) {
  const parts = await listClaimParts(
    database,
    claims.map(({ id }) => id),
  )
  const isPayable = (part: ClaimPartRow) => part.is_covered && !part.is_held
  return claims.filter(({ id }) => (parts.get(id) ?? []).every(isPayable))
}
