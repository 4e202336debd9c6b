import { Refusal } from '#domain/refusal.ts'
import { enqueueMails } from '#server/database/books/outbox.ts'
import { findLastSnapshot } from '#server/database/delivery/snapshots.ts'
import {
  findLastInvitation,
  listUnassigned,
  lockInvitation,
  readUnassigned,
  type UnassignedOwner,
} from '#server/database/delivery/unassigned.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { unassignedOf } from './report-snapshots.ts'

/** Nobody is asked more often. */
const INVITED_EVERY_MS = 24 * 60 * 60_000
const AT_ONCE = 2_000

/**
 * Everybody who has tokens and no wallet, in batches of one moment. It is personal data, so that
 * reading it is recorded.
 */
export async function exportUnassigned(
  services: Services,
  operator: Operator,
): Promise<AsyncGenerator<UnassignedOwner[]>> {
  const { database } = services
  await database
    .transaction()
    .execute((transaction) =>
      recordAction(services, transaction, operator, { act: 'exportUnassigned', details: {} }),
    )
  return readUnassigned(database, unassignedOf(services, await findLastSnapshot(database)))
}

/**
 * Asks everybody who has tokens and no wallet for one, by mail; once a day at most. Returns how
 * many. Refuses with `FreezeRefused` where it was done within a day or is being done, or the sale
 * says nothing of wallets. Nobody who buys waits for it.
 */
export async function inviteUnassigned(services: Services, operator: Operator): Promise<number> {
  if (services.sale.delivery === null) {
    throw refuse('The sale file names no chain to deliver on, so that nobody can set a wallet')
  }
  return await services.database.transaction().execute(async (transaction) => {
    if (!(await lockInvitation(transaction))) {
      throw refuse('Somebody else invites them at this moment')
    }
    const now = services.clock.now()
    const lastAt = await findLastInvitation(transaction)
    if (lastAt !== null && now.getTime() - lastAt.getTime() < INVITED_EVERY_MS) {
      throw refuse('They were invited within the last day. Give them time')
    }
    const question = unassignedOf(services, await findLastSnapshot(transaction))
    let count = 0
    for (let after: string | null = null; ;) {
      const rows: UnassignedOwner[] = await listUnassigned(transaction, question, after, AT_ONCE)
      const invited = rows.filter(({ isErased }) => !isErased)
      await enqueueMails(
        transaction,
        invited.map(({ userId }) => ({
          userId,
          kind: 'wallet_wanted' as const,
          params: { user_id: userId },
          at: now,
        })),
      )
      count += invited.length
      after = rows.at(-1)?.userId ?? null
      if (after === null) break
    }
    if (count === 0) throw refuse('Everybody who has tokens has a wallet')
    const details = { invited: String(count) }
    await recordAction(services, transaction, operator, { act: 'inviteUnassigned', details })
    return count
  })
}

const refuse = (message: string) => new Refusal('FreezeRefused', { message })
