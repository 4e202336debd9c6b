import { Refusal } from '#domain/refusal.ts'
import { enqueueMails, type NewMail } from '#server/database/books/outbox.ts'
import { acquireLease, endLeaseAt } from '#server/database/connection/leases.ts'
import { findLastSnapshot } from '#server/database/delivery/snapshots.ts'
import {
  findLastInvitation,
  listUnassigned,
  lockInvitation,
  readUnassigned,
  type UnassignedOwner,
} from '#server/database/delivery/unassigned.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { type Act, recordAction, recordReading } from '#server/use-cases/audit/record-action.ts'
import { unassignedOf } from './report-snapshots.ts'

/** Nobody is asked more often than this. */
const INVITED_EVERY_MS = 24 * 60 * 60_000
/** Written by one statement: the check of the books waits for those under way 0.2 s at most. */
const AT_ONCE = 2_000

const LEASE = 'invitation'
/** Far longer than a slice takes. */
const LEASE_MS = 60_000

/**
 * Everybody who has tokens and no wallet, in batches from one moment. This is personal data, so
 * reading it is recorded.
 */
export async function exportUnassigned(
  services: Services,
  operator: Operator,
): Promise<AsyncGenerator<UnassignedOwner[]>> {
  const { database } = services
  await recordReading(services, operator, { act: 'exportUnassigned' })
  return readUnassigned(database, unassignedOf(services, await findLastSnapshot(database)))
}

/**
 * Asks everybody who has tokens and no wallet to name one, by mail; at most once a day. Returns how
 * many. Refuses with `FreezeRefused` if it was done within a day or is being done, or if the sale
 * does not deliver to wallets. Buyers never wait for it, and since each slice of the mails is
 * written by itself, the books are checked meanwhile. If it breaks off it has to be done again, and
 * leaves out everybody who was written to.
 */
export async function inviteUnassigned(services: Services, operator: Operator): Promise<number> {
  const { sale, database, clock } = services
  if (sale.delivery === null) {
    throw refuse('The sale file names no chain to deliver on, so nobody can set a wallet')
  }
  if (!(await acquireLease(database, LEASE, clock.now(), LEASE_MS, 2 * LEASE_MS))) {
    throw refuse(DONE_NOW)
  }
  try {
    return await inviteInSlices(services, operator)
  } finally {
    await endLeaseAt(database, LEASE, clock.now())
  }
}

async function inviteInSlices(services: Services, operator: Operator): Promise<number> {
  const { database, clock } = services
  const now = clock.now()
  const lastAt = await findLastInvitation(database)
  requireADaySince(lastAt, now)
  const question = unassignedOf(services, await findLastSnapshot(database))
  let count = 0
  for (let after: string | null = null; ;) {
    const rows: UnassignedOwner[] = await listUnassigned(database, question, after, AT_ONCE)
    const mails = rows.filter(({ isErased }) => !isErased).map(mailTo)
    // Who asked for them is known before the first one leaves.
    const isFirst = count === 0 && mails.length > 0
    if (isFirst) await record({ act: 'beginInvitation' })
    await enqueueMails(database, mails)
    await endLeaseAt(database, LEASE, new Date(clock.now().getTime() + LEASE_MS))
    count += mails.length
    after = rows.at(-1)?.userId ?? null
    if (after === null) break
  }
  if (count === 0) throw refuse('Everybody who has tokens has a wallet')
  await record(
    { act: 'inviteUnassigned', details: { invited: String(count) } },
    async (transaction) => {
      // Where this took so long that somebody else began, they wrote to nobody a second time.
      if (!(await lockInvitation(transaction))) throw refuse(DONE_NOW)
      requireADaySince(await findLastInvitation(transaction), now)
    },
  )
  return count

  function mailTo({ userId }: UnassignedOwner): NewMail {
    return {
      userId,
      kind: 'wallet_wanted',
      params: { user_id: userId },
      // The same in every attempt until one is done.
      uniqueKey: `wallet_wanted:${userId}:${lastAt?.toISOString() ?? 'first'}`,
      at: now,
    }
  }

  async function record(
    act: Act,
    check?: (transaction: DatabaseTransaction) => Promise<void>,
  ): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      await check?.(transaction)
      await recordAction(services, transaction, operator, act)
    })
  }
}

function requireADaySince(lastAt: Date | null, now: Date): void {
  if (lastAt !== null && now.getTime() - lastAt.getTime() < INVITED_EVERY_MS) {
    throw refuse('They were invited within the last day. Give them time')
  }
}

const DONE_NOW = 'Somebody else is inviting them right now'

const refuse = (message: string) => new Refusal('FreezeRefused', { message })
