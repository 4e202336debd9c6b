import { rowState } from '#domain/delivery/delivery-state.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { listDueMails, listRowsAt } from '#server/database/delivery/delivered-parts.ts'
import {
  type FollowedRow,
  listEventsOf,
  listPublished,
  listUsersOf,
} from '#server/database/delivery/distribution-events.ts'
import { progressOf } from '#server/database/delivery/distribution-progress.ts'
import { enqueueMails, type NewMail } from '#server/database/books/outbox.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

const DAY_MS = 24 * 60 * 60_000
/** Buyers are reminded this many days before a claim expires. */
const REMINDED_DAYS = [7, 1]
const MAILS_AT_ONCE = 500

type Kind = Extract<NewMail['kind'], `delivery_${string}`>

/** One key per buyer and distribution, so that a mail is never written twice. */
function mailOf(kind: Kind, id: bigint, userId: string, at: Date, days?: number): NewMail {
  return {
    userId,
    kind,
    params: { distribution_id: String(id), user_id: userId },
    uniqueKey: `${keyOf(kind, id, days)}${userId}`,
    at,
  }
}

const keyOf = (kind: Kind, id: bigint, days?: number) =>
  `${kind}:${id}:${days === undefined ? '' : `${days}:`}`

/** Informs the buyers of rows that have arrived in full, and for good. */
export async function enqueueDelivered(
  { clock }: Services,
  transaction: DatabaseTransaction,
  { id, tool }: FollowedRow,
  places: readonly number[],
  through: bigint,
): Promise<void> {
  const events = Map.groupBy(
    await listEventsOf(transaction, id, places, through),
    ({ place }) => place,
  )
  const rows = await listRowsAt(transaction, id, places)
  const isDelivered = ({ place, amount }: (typeof rows)[number]) => {
    const seen = (events.get(place) ?? []).map((event) => ({ ...event, isDeep: true }))
    const isDone = { isSwept: false, hasEnded: false }
    return rowState(tool, amount, seen, isDone) === 'delivered'
  }
  const delivered = rows.filter(isDelivered).map(({ place }) => place)
  const users = await listUsersOf(transaction, id, delivered)
  const at = clock.now()
  await enqueueMails(
    transaction,
    users.map((userId) => mailOf('delivery_delivered', id, userId, at)),
  )
}

/**
 * A worker step that writes, a few at a time, the mails saying that tokens can be claimed and that
 * the time for it ends soon. Safe to repeat, and to run on several instances at once.
 */
export function createDeliveryMails(): (services: Services) => Promise<void> {
  // Distributions whose buyers have all been mailed need no further look.
  const done = new Set<string>()
  return async (services) => {
    const { database, clock } = services
    const now = clock.now()
    for (const distribution of await listPublished(database)) {
      for (const { kind, days } of dueKinds(distribution, now)) {
        const key = keyOf(kind, distribution.id, days)
        if (done.has(key)) continue
        // Reminders of the end go out all the same: most may still be able to claim.
        if (kind === 'delivery_claimable' && (await lacksTokens(database, distribution))) continue
        const users = await listDueMails(database, distribution.id, key, MAILS_AT_ONCE)
        const mails = users.map((userId) => mailOf(kind, distribution.id, userId, now, days))
        await enqueueMails(database, mails)
        if (users.length < MAILS_AT_ONCE) done.add(key)
      }
    }
  }
}

/** Whether the claims of some would fail since tokens were taken back: nobody knows of whom. */
async function lacksTokens(
  database: Database,
  { id, remaining }: Pick<FollowedRow, 'id' | 'remaining'>,
): Promise<boolean> {
  return remaining !== null && (await progressOf(database, id)).amountMissing > 0n
}

/** What the buyers of a distribution who have not claimed yet have to be informed of by now. */
function dueKinds(
  { tool, expires_at: expiresAt }: FollowedRow,
  now: Date,
): { kind: Kind; days?: number }[] {
  if (toolTraits[tool].delivers !== 'claim') return []
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - now.getTime()
  if (leftMs <= 0) return []
  const days = REMINDED_DAYS.findLast((each) => leftMs <= each * DAY_MS)
  // Whoever is reminded of the end needs no other mail.
  return [days === undefined ? { kind: 'delivery_claimable' } : { kind: 'delivery_expiring', days }]
}
