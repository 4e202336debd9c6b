import type { Database } from '#server/database/tables/tables.ts'

/**
 * True for the one caller, among all instances, whose turn it is: the next turn comes `everyMs`
 * later. Whoever takes a turn and dies leaves the work to whoever takes the next one. A next turn
 * farther away than `farthestMs` was set by a clock that is wrong, and keeps nobody from theirs.
 */
export async function takeTurn(
  database: Database,
  name: string,
  now: Date,
  everyMs: number,
  farthestMs: number,
): Promise<boolean> {
  const farthest = new Date(now.getTime() + farthestMs)
  const nextAt = new Date(now.getTime() + everyMs)
  const taken = await database
    .insertInto('turns')
    .values({ name, next_at: nextAt })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ next_at: nextAt })
        .where((where) =>
          where.or([where('turns.next_at', '<=', now), where('turns.next_at', '>', farthest)]),
        ),
    )
    .returning('name')
    .executeTakeFirst()
  return taken !== undefined
}

/** Moves the next turn to an instant, whoever's it is. */
export async function setNextTurn(database: Database, name: string, nextAt: Date): Promise<void> {
  await database.updateTable('turns').set({ next_at: nextAt }).where('name', '=', name).execute()
}
