import { type RawBuilder, sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'

export type MailState = {
  /** When the oldest waiting mail was written; null if none waits. */
  oldestUnsentAt: Date | null
  /** How many wait, counted up to a bound. */
  unsent: number
  /** How many are lost, counted up to the same bound. */
  givenUp: number
}

/** Beyond this the exact number is of no use, and counting would cost more and more. */
const MAILS_COUNTED_MAX = 1_000

/** Could not be sent for days, and no operator has put it away since: of a mail by its alias. */
export const isLost = (mail: string): RawBuilder<boolean> => sql`(
  ${sql.ref(`${mail}.is_given_up`)} and not exists (
    select from inbox_closed as closed
    where closed.kind = 'mail' and closed.item_id = ${sql.ref(`${mail}.id`)}::text
  )
)`

export async function readMailState(database: Database): Promise<MailState> {
  const { rows } = await sql<MailState>`
    select
      (
        select min(created_at) from (values (0), (1), (2)) as asked (priority)
        cross join lateral (
          select created_at from outbox_mails
          where sent_at is null and dropped_at is null and priority = asked.priority
          order by id limit 1
        ) as oldest
      ) as "oldestUnsentAt",
      (
        select count(*)::integer from (
          select from outbox_mails where sent_at is null and dropped_at is null
          limit ${MAILS_COUNTED_MAX}
        ) as unsent
      ) as unsent,
      (
        select count(*)::integer from (
          select from outbox_mails where ${isLost('outbox_mails')} limit ${MAILS_COUNTED_MAX}
        ) as lost
      ) as "givenUp"`.execute(database)
  return rows[0] ?? { oldestUnsentAt: null, unsent: 0, givenUp: 0 }
}
