import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import { deleteTwoFactor } from './two-factor.ts'

/**
 * What deletes expired limits, sessions and links that ended before `endedBefore`, places last
 * logged in from before `placesBefore`, and, from before `leftBefore`, unconfirmed two-factor
 * secrets and what is kept of farewell mails: those that a sandbox shows, and those that could not
 * be sent. The lost confirmation of a withdrawal keeps its address until `endedBefore`, so that its
 * reader can be told, as does each mail to an operator that was not sent. By what each deletes.
 */
export const expiredRecords = (
  database: Database,
  now: Date,
  { endedBefore, placesBefore, leftBefore }: Record<Before, Date>,
): Record<string, () => Promise<unknown>> => ({
  limits: () => deleteExpiredLimits(database, now),
  links: () => database.deleteFrom('mailed_links').where('expires_at', '<', endedBefore).execute(),
  sessions: () =>
    database
      .deleteFrom('sessions')
      .where((where) =>
        where.or([
          where('ended_at', '<', endedBefore),
          where('refresh_expires_at', '<', endedBefore),
        ]),
      )
      .execute(),
  places: () =>
    database.deleteFrom('login_places').where('last_used_at', '<', placesBefore).execute(),
  'two-factor secrets': () =>
    database
      .deleteFrom('two_factors')
      .where('confirmed_at', 'is', null)
      .where('created_at', '<', leftBefore)
      .execute(),
  'wallet challenges': () =>
    database.deleteFrom('wallet_challenges').where('expires_at', '<', now).execute(),
  'passkey challenges': () =>
    database.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute(),
  'security events': () =>
    database
      .deleteFrom('operator_security_events')
      .where('operator_id', 'is', null)
      .where('at', '<', endedBefore)
      .execute(),
  'farewell mails': () =>
    database
      .updateTable('outbox_mails')
      .set({ recipient: null, subject: null, body_text: null, body_html: null, last_fault: null })
      .where('recipient', 'is not', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('users')
            .select('users.id')
            .whereRef('users.id', '=', 'outbox_mails.user_id')
            .where('erased_at', 'is not', null),
        ),
      )
      .where((mail) => mail.fn.coalesce('sent_at', 'dropped_at'), '<', leftBefore)
      .where((mail) =>
        mail.or([
          mail('kind', '!=', 'purchase_withdrawn'),
          mail('is_given_up', '=', false),
          mail('created_at', '<', endedBefore),
        ]),
      )
      .execute(),
  'addresses of operators': () =>
    database
      .updateTable('outbox_mails')
      .set({ recipient: null, last_fault: null })
      .where('recipient', 'is not', null)
      .where('user_id', 'is', null)
      .where('dropped_at', '<', endedBefore)
      .execute(),
})

/** A flood of calls leaves more limits than one statement deletes in its time. */
const LIMITS_MAX = 10_000

async function deleteExpiredLimits(database: Database, now: Date): Promise<void> {
  const expired = database
    .selectFrom('rate_limits')
    .select('key')
    .where('expire', '<', BigInt(now.getTime()))
    .limit(LIMITS_MAX)
    // Counting several attempts holds one row and waits for the next.
    .forUpdate()
    .skipLocked()
  let deleted: bigint
  do {
    const { numDeletedRows } = await database
      .deleteFrom('rate_limits')
      .where('key', '=', sql<string>`any (array(${expired}))`)
      .executeTakeFirstOrThrow()
    deleted = numDeletedRows
  } while (deleted >= LIMITS_MAX)
}

type Before = 'endedBefore' | 'placesBefore' | 'leftBefore'

/** Deletes all rows that only the user needed. */
export async function eraseAccountRows(
  transaction: DatabaseTransaction,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('wallet_challenges').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('mailed_links').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('login_places').where('user_id', '=', userId).execute()
  await deleteTwoFactor(transaction, userId)
}
