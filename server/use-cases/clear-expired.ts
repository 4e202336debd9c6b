import { deleteExpired } from '#server/database/expiry.ts'
import type { Services } from '#server/services.ts'

/** Long enough to look into what happened to an account. */
const KEPT_MS = 30 * 24 * 60 * 60_000

/** Deletes limits that have run out, and links and sessions that ended a month ago. */
export async function clearExpired(services: Services): Promise<void> {
  const now = services.clock.now()
  await deleteExpired(services.database, now, new Date(now.getTime() - KEPT_MS))
}
