import type { LinkPurpose } from '#server/database/tables/account-tables.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type LinkRow = Row<'mailed_links'>

export type NewLink = Omit<LinkRow, 'closed_at'>

/** Voids every link of a user for one purpose. */
export async function closeUserLinks(
  transaction: DatabaseTransaction,
  userId: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('mailed_links')
    .set({ closed_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .execute()
}

export async function insertLink(transaction: DatabaseTransaction, link: NewLink): Promise<void> {
  await closeUserLinks(transaction, link.user_id, link.purpose, link.created_at)
  await transaction
    .insertInto('mailed_links')
    .values({ ...link, closed_at: null })
    .execute()
}

/** The link behind a token, as long as it can be used. */
export async function findOpenLink(
  database: Database,
  purpose: LinkPurpose,
  tokenHash: Uint8Array,
  now: Date,
): Promise<LinkRow | null> {
  const row = await database
    .selectFrom('mailed_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** Whose link it is, whether or not it can still be used; null if there is no such link. */
export async function findLinkOwner(
  database: Database,
  purpose: LinkPurpose,
  tokenHash: Uint8Array,
): Promise<string | null> {
  const row = await database
    .selectFrom('mailed_links')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** When a link stops working; null if it no longer works. */
export async function findLinkEnd(
  database: Database,
  linkId: string,
  now: Date,
): Promise<Date | null> {
  const row = await database
    .selectFrom('mailed_links')
    .select('expires_at')
    .where('id', '=', linkId)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.expires_at ?? null
}

/** Uses the link up; false if it was used in the meantime. */
export async function closeLink(
  transaction: DatabaseTransaction,
  linkId: string,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('mailed_links')
    .set({ closed_at: now })
    .where('id', '=', linkId)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
