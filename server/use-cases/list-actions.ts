import { type ActionRow, listActionRows } from '#server/database/operator-actions.ts'
import type { Services } from '#server/services.ts'

/** What operators did, newest first. `after` is the id of the first of the next page. */
export type ActionPage = { items: readonly ActionRow[]; after: bigint | null }

export async function listActions(
  { database }: Services,
  wish: { after: bigint | null; limit: number },
): Promise<ActionPage> {
  const rows = await listActionRows(database, wish.after, wish.limit + 1)
  return { items: rows.slice(0, wish.limit), after: rows[wish.limit]?.id ?? null }
}
