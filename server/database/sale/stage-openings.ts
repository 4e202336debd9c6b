import type { Database } from '#server/database/tables/tables.ts'

/** Records when a stage was first on sale. Does nothing if that is known. */
export async function noteOpening(database: Database, stageId: string, at: Date): Promise<void> {
  await database
    .insertInto('stage_openings')
    .values({ stage_id: stageId, at })
    .onConflict((conflict) => conflict.column('stage_id').doNothing())
    .execute()
}
