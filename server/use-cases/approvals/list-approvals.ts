import { Refusal } from '#domain/refusal.ts'
import {
  type ApprovalRow,
  findApproval,
  listApprovalRows,
} from '#server/database/operators/approvals.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'

/** What waits for a second person, or was decided; newest first. */
export async function listApprovals(
  services: Services,
  {
    state,
    after,
    limit,
  }: { state: ApprovalRow['state'] | null; after: string | null; limit: number },
) {
  const first = after === null ? null : await getApproval(services, after)
  const rows = await listApprovalRows(services.database, {
    states: state && [state],
    start: first && { askedAt: first.asked_at, id: first.id },
    countMax: limit + 1,
  })
  return { items: rows.slice(0, limit), after: rows[limit]?.id ?? null }
}

/** A single approval. Refuses with `NotFound`. */
export async function getApproval({ database }: Services, id: string): Promise<ApprovalRow> {
  const approval = isId(id) ? await findApproval(database, id) : null
  if (approval === null) {
    throw new Refusal('NotFound', { message: 'There is no approval with this id' })
  }
  return approval
}
