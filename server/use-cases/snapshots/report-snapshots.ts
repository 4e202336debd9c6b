import { Refusal } from '#domain/refusal.ts'
import {
  listDifferences,
  type OwnerDifference,
  presentCompared,
  snapshotsCompared,
} from '#server/database/delivery/differences.ts'
import { countMovementsSince, sumOwned } from '#server/database/delivery/owned-tokens.ts'
import { listSnapshots, type SnapshotRow } from '#server/database/delivery/snapshots.ts'
import { findLastInvitation, sumUnassigned } from '#server/database/delivery/unassigned.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { listUndecided } from './list-undecided.ts'

export type SnapshotReport = Awaited<ReturnType<typeof reportSnapshots>>

/** The state of closing the books. Nothing in it is older than the call. */
export async function reportSnapshots(services: Services) {
  const { database } = services
  const snapshots = await listSnapshots(database)
  const last = snapshots.at(-1) ?? null
  const moved = last && (await countMovementsSince(database, last.ledger_position))
  return {
    undecided: await listUndecided(services, database, { isFrozen: last !== null }),
    owned: await sumOwned(database),
    snapshots,
    movements: moved?.count ?? 0,
    unassigned: await sumUnassigned(database, unassignedOf(services, last)),
    invitedAt: await findLastInvitation(database),
  }
}

/** By the last snapshot, or by the ledger if there is none. */
export function unassignedOf({ sale, clock }: Services, last: SnapshotRow | null) {
  const chainId = sale.delivery?.chainId ?? null
  return { snapshot: last?.number ?? null, chainId, now: clock.now() }
}

/** `after` is the id of the first owner of the next page; null if this is the last one. */
export type DifferencePage = { items: readonly OwnerDifference[]; after: string | null }

/**
 * What a snapshot changed compared with the one before, owner by owner; with the number after the
 * last one, what a correction would change now.
 */
export async function listSnapshotChanges(
  services: Services,
  { number, after, limit }: { number: number; after: string | null; limit: number },
): Promise<DifferencePage> {
  const { database, sale, clock } = services
  const last = (await listSnapshots(database)).at(-1)
  if (last === undefined || number < 2 || number > last.number + 1) {
    throw new Refusal('NotFound', { message: 'There is no snapshot of this number to compare' })
  }
  if (after !== null && !isId(after)) throw new Refusal('NotFound')
  const chainId = sale.delivery?.chainId ?? null
  const compared =
    number > last.number
      ? presentCompared(last, { chainId, now: clock.now() })
      : snapshotsCompared(number)
  const rows = await listDifferences(database, compared, after, limit + 1)
  return { items: rows.slice(0, limit), after: rows[limit]?.userId ?? null }
}
