import type { Database } from './tables.ts'

/** Deletes limits that have run out, and sessions and links that ended before `endedBefore`. */
export async function deleteExpired(
  database: Database,
  now: Date,
  endedBefore: Date,
): Promise<void> {
  await database.deleteFrom('rate_limits').where('expire', '<', BigInt(now.getTime())).execute()
  await database.deleteFrom('mailed_links').where('expires_at', '<', endedBefore).execute()
  await database
    .deleteFrom('sessions')
    .where((where) =>
      where.or([
        where('ended_at', '<', endedBefore),
        where('refresh_expires_at', '<', endedBefore),
      ]),
    )
    .execute()
}
