import type { Database } from '#server/database/tables/tables.ts'

/**
 * True for the one caller, among all instances, who gets the lease: nobody else gets it for
 * `durationMs`. Whoever gets it and dies leaves the work to whoever gets it next. A lease that
 * lasts longer than `longestMs` was made by a clock that is wrong, and keeps nobody from theirs.
 */
export async function acquireLease(
  database: Database,
  name: string,
  now: Date,
  durationMs: number,
  longestMs: number,
): Promise<boolean> {
  const farthest = new Date(now.getTime() + longestMs)
  const endsAt = new Date(now.getTime() + durationMs)
  const acquired = await database
    .insertInto('leases')
    .values({ name, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ ends_at: endsAt })
        .where((where) =>
          where.or([where('leases.ends_at', '<=', now), where('leases.ends_at', '>', farthest)]),
        ),
    )
    .returning('name')
    .executeTakeFirst()
  return acquired !== undefined
}

/** Lets a lease end at another instant, whoever has it. */
export async function endLeaseAt(database: Database, name: string, endsAt: Date): Promise<void> {
  await database.updateTable('leases').set({ ends_at: endsAt }).where('name', '=', name).execute()
}
