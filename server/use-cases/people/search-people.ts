import { normalizeEmail } from '#domain/accounts/account.ts'
import { wrongField } from '#domain/refusal.ts'
import {
  findPerson,
  type PersonRow,
  searchPeople as searchRows,
} from '#server/database/accounts/people.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'

export type PeoplePage = { items: readonly PersonRow[]; after: string | null }

/**
 * Everybody who has an account, newest first, or the user with an email address or id; `after` is
 * the id of the first of the next page. Refuses with `InvalidInput` for an unknown cursor.
 */
export async function searchPeople(
  { database }: Services,
  { q, after, limit }: { q?: string | undefined; after?: string | undefined; limit: number },
): Promise<PeoplePage> {
  const start = after === undefined ? null : await findPerson(database, after)
  if (after !== undefined && start === null) throw wrongField('after', 'Must be the id of a user')
  const rows = await searchRows(
    database,
    readName(q),
    start === null ? null : { createdAt: start.created_at, id: start.id },
    limit + 1,
  )
  return { items: rows.slice(0, limit), after: rows[limit]?.id ?? null }
}

function readName(q: string | undefined): { email: string | null; id: string | null } {
  const text = normalizeEmail(q ?? '')
  if (text === '') return { email: null, id: null }
  if (isId(text)) return { email: null, id: text }
  if (text.includes('@')) return { email: text, id: null }
  throw wrongField('q', 'Give a whole email address, or the id of a user')
}
