import { type ActionRow, listActionRows } from '#server/database/books/operator-actions.ts'
import type { Services } from '#server/services.ts'

/** `after` is the id of the first of the next page; null where this is the last one. */
export type ActionPage = { items: readonly ActionRow[]; after: bigint | null }

/** What operators did, newest first. */
export async function listActions(
  { database }: Services,
  input: { after: bigint | null; limit: number },
): Promise<ActionPage> {
  const rows = await listActionRows(database, input.after, input.limit + 1)
  return { items: rows.slice(0, input.limit), after: rows[input.limit]?.id ?? null }
}
