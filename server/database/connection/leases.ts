import type { Database } from '#server/database/tables/tables.ts'

/**
 * True for the one caller, among all instances, that gets the lease: no other gets it for
 * `durationMs`, even if the holder dies. A lease that ends later than `longestMs` from now was made
 * with a wrong clock and is ignored.
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

/** Moves the end of a lease, whoever holds it. */
export async function endLeaseAt(database: Database, name: string, endsAt: Date): Promise<void> {
  await database.updateTable('leases').set({ ends_at: endsAt }).where('name', '=', name).execute()
}

/**
 * Moves the end of a lease that still ends as its holder has set it. False where another has got it
 * since, or somebody has ended it.
 */
export async function moveOwnLease(
  database: Database,
  name: string,
  from: Date,
  to: Date,
): Promise<boolean> {
  const moved = await database
    .updateTable('leases')
    .set({ ends_at: to })
    .where('name', '=', name)
    .where('ends_at', '=', from)
    .returning('name')
    .executeTakeFirst()
  return moved !== undefined
}

/** Ends a lease that nobody will need again. */
export async function deleteLease(database: Database, name: string): Promise<void> {
  await database.deleteFrom('leases').where('name', '=', name).execute()
}
