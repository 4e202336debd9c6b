import type { DatabaseTransaction } from '#server/database/tables/tables.ts'

/** Deletes every row that only its user needed. */
export async function eraseAccountRows(
  transaction: DatabaseTransaction,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('mailed_links').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('login_places').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('two_factors').where('user_id', '=', userId).execute()
}
