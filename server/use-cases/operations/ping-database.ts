import type { Services } from '#server/services.ts'

/** Throws if the database does not answer: nothing can be served without it. */
export async function pingDatabase({ database }: Services): Promise<void> {
  await database.selectNoFrom(({ lit }) => lit(1).as('one')).execute()
}
