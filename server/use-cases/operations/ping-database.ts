import type { Services } from '#server/services.ts'

/** Throws where the database does not answer, without which nothing can be served. */
export async function pingDatabase({ database }: Services): Promise<void> {
  await database.selectNoFrom(({ lit }) => lit(1).as('one')).execute()
}
