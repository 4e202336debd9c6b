import { reach } from '#server/database/connection/reach.ts'
import type { Services } from '#server/services.ts'

/** Throws where the database does not answer, without which nothing can be served. */
export function reachDatabase(services: Services): Promise<void> {
  return reach(services.database)
}
