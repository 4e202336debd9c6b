import type { RefundClaimState } from '#domain/refunds/claim-states.ts'
import {
  type ClaimCounts,
  countClaims,
  findClaimRow,
  listClaimRows,
  type OwnedClaimRow,
} from '#server/database/refunds/owned-claims.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { noSuchClaim } from './claim-refund.ts'
import { type ClaimView, viewClaims } from './claim-view.ts'

export type OwnedClaimView = ClaimView<OwnedClaimRow>

/** Claims in one state or in any, oldest first; `after` is the first of the next page. */
export async function listClaims(
  services: Services,
  page: { state: RefundClaimState | null; after: string | null; limit: number },
): Promise<{ items: OwnedClaimView[]; after: string | null; counts: ClaimCounts }> {
  const { database } = services
  const { state, after, limit } = page
  const first = after === null ? null : (await getClaim(services, after)).claim
  const start = first && { claimedAt: first.claimed_at, id: first.id }
  const rows = await listClaimRows(database, { state, start, countMax: limit + 1 })
  return {
    items: await viewClaims(services, database, rows.slice(0, limit)),
    after: rows[limit]?.id ?? null,
    counts: await countClaims(database),
  }
}

/** A single claim. Refuses with `NotFound`. */
export async function getClaim(services: Services, id: string): Promise<OwnedClaimView> {
  const row = isId(id) ? await findClaimRow(services.database, id) : null
  const [view] = await viewClaims(services, services.database, row === null ? [] : [row])
  if (view === undefined) throw noSuchClaim()
  return view
}
