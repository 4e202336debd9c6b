import { acquireLease, endLeaseAt } from '#server/database/connection/leases.ts'
import {
  type BatchedClaimRow,
  type BatchRow,
  leftSince,
  listBatchClaims,
  listBatchesToFollow,
  listDoublePayments,
  lockBatches,
} from '#server/database/refunds/batches.ts'
import type { ClaimRow } from '#server/database/refunds/claims.ts'
import { NotYet } from '#domain/unavailable.ts'
import type { FoundPayout } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import { recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { lockWithPurchases } from './decide-claim.ts'
import { findOnChain } from './find-on-chain.ts'
import { followLeft, payBySecond } from './follow-left.ts'
import { recheckPaid } from './recheck-paid.ts'
import { closeBatch, keepDeep, recordSight } from './record-sight.ts'

/** How often what was cancelled or paid is looked for. */
const LEFT_EVERY_MS = 10 * 60_000
/** How soon those that nothing has paid are looked for again while there are blocks not read. */
const UNSENT_AGAIN_MS = 30_000
/** One instance looks, and remembers what it has read. Another takes over when it stops. */
const LEASE = 'payouts'
const LEASE_MS = 20_000
/** Enough for each other instance to begin a step. */
const REST_MS = 10_000

/**
 * A worker step that looks on the chains for transfers that pay the batches, and records those that
 * are deep enough. One of all instances does it, and it is safe if two do; one that could not look
 * everywhere lets another do so. Claims that were taken out of a batch, or paid, are looked
 * for now and then: if one is found, it goes back into that batch, or was paid twice.
 */
export function createPayoutWatch(): (services: Services) => Promise<void> {
  let leftDueAt = Number.NEGATIVE_INFINITY
  let unsentDueAt = Number.NEGATIVE_INFINITY
  let heldUntil = Number.NEGATIVE_INFINITY
  let restsUntil = Number.NEGATIVE_INFINITY
  return async (services) => {
    const { clock, database } = services
    const now = clock.now()
    const nowMs = now.getTime()
    if (nowMs < restsUntil) return
    if (nowMs < heldUntil) await endLeaseAt(database, LEASE, new Date(nowMs + LEASE_MS))
    else if (!(await acquireLease(database, LEASE, now, LEASE_MS, 2 * LEASE_MS))) return
    heldUntil = nowMs + LEASE_MS
    const isLeftDue = nowMs >= leftDueAt
    const isUnsentDue = isLeftDue || nowMs >= unsentDueAt
    const { isWhole, isReadable } = await followPayouts(services, isLeftDue, isUnsentDue)
    if (isLeftDue) leftDueAt = nowMs + LEFT_EVERY_MS
    if (isUnsentDue) unsentDueAt = isWhole ? leftDueAt : nowMs + UNSENT_AGAIN_MS
    const endedMs = clock.now().getTime()
    // By then the lease may be another's.
    if (isReadable || endedMs >= heldUntil) return
    await endLeaseAt(database, LEASE, new Date(endedMs))
    heldUntil = Number.NEGATIVE_INFINITY
    restsUntil = endedMs + REST_MS
  }
}

/**
 * A single such look; with `isLeftDue` also for claims that were taken out of batches, or paid, and
 * with `isUnsentDue` for those of them that nothing has paid.
 * @returns `isWhole` is false while there are blocks in which the latter were not looked for yet,
 * and `isReadable` if this instance could not look on a chain that another one may be able to read.
 */
export async function followPayouts(
  services: Services,
  isLeftDue = true,
  isUnsentDue = isLeftDue,
): Promise<{ isWhole: boolean; isReadable: boolean }> {
  const { database, clock, log } = services
  // First, as what was sent in place of a transfer that has gone is no second payment.
  if (isLeftDue) await recheckPaid(services)
  const now = clock.now()
  const since = leftSince(now)
  const batches = await listBatchesToFollow(database, now)
  const claims = await listBatchClaims(
    database,
    batches.map(({ id }) => id),
  )
  const isLeft = ({ left_at: at }: BatchedClaimRow) => at !== null && at > since
  const isPaid = ({ left_at: at, state, closed_at: closedAt }: BatchedClaimRow) =>
    at === null && state === 'confirmed' && closedAt !== null && closedAt > since
  type Step = {
    follow(batch: BatchRow, claims: readonly BatchedClaimRow[]): Promise<unknown>
    isWanted(claim: BatchedClaimRow): boolean
  }
  // Before what has left, all others are looked for, however lately each of them was.
  const current: Step = {
    follow: (...of) => followCurrent(services, ...of, isUnsentDue),
    isWanted: isCurrent,
  }
  let isWhole = true
  let isReadable = true
  const unsent: Step = {
    follow: async (...of) => {
      if (!(await followLeft(services, ...of))) isWhole = false
    },
    isWanted: (each) => isLeft(each) && isUnsent(each),
  }
  const paid: Step = {
    follow: (...of) => followLeft(services, ...of),
    isWanted: (each) => isPaid(each) || (isLeft(each) && !isUnsent(each)),
  }
  // In this order, so that a transfer goes to the claim that waits for it.
  const steps = [current, ...(isUnsentDue ? [unsent] : []), ...(isLeftDue ? [paid] : [])]
  // If a chain was not read through, its later steps are skipped: the claim that waits for a
  // transfer may not have it yet.
  const unread = new Set<string>()
  for (const step of steps) {
    const known = batches.filter(({ chain }) => !unread.has(chain))
    for (const batch of known) {
      const wanted = (claims.get(batch.id) ?? []).filter(step.isWanted)
      const isKnown = services.rails.get(batch.rail)?.payouts !== undefined
      if (wanted.length > 0 && !isKnown) isReadable = false
      try {
        await step.follow(batch, wanted)
      } catch (error) {
        const { id, chain } = batch
        unread.add(chain)
        if (error instanceof NotYet)
          log.debug({ error, chain }, 'The server looks for payouts later')
        else {
          isReadable = false
          log.warn({ error, batchId: id, chain }, 'The server could not look for payouts')
        }
      }
    }
  }
  return { isWhole, isReadable }
}

export const isCurrent = ({ left_at: leftAt, state }: BatchedClaimRow) =>
  leftAt === null && (state === 'batched' || state === 'sent')

const isUnsent = ({ state }: BatchedClaimRow) => state === 'approved' || state === 'batched'

/**
 * Records where claims of a batch are on its chain.
 * @returns False while there are blocks in which they were not looked for yet.
 */
export async function followCurrent(
  services: Services,
  batch: BatchRow,
  claims: readonly BatchedClaimRow[],
  isAnyTime: boolean,
): Promise<boolean> {
  const payouts = services.rails.get(batch.rail)?.payouts
  if (payouts === undefined || batch.state === 'cancelled') return true
  if (claims.length === 0) {
    await closeBatch(services, batch.id)
    return true
  }
  const exceptIds = claims.map(({ id }) => id)
  const search = { payouts, exceptIds, isOwn: true, isAnyTime }
  const { found, isWhole, head, keepMined } = await findOnChain(services, batch, claims, search)
  const foundOf = new Map(found.map((each) => [each.id, each]))
  const isNew = (claim: ClaimRow) => {
    const transfer = foundOf.get(claim.id) ?? null
    const { transaction_hash: before } = claim
    const isMoved = before !== null && transfer?.transactionHash !== before
    // A transfer that is not found may be in a block not read yet: that does not mean that it is
    // gone.
    if (isMoved && (!isWhole || (transfer === null && isBehind(claim, head)))) return false
    return !isAsKnown(claim, transfer, head)
  }
  const changed = claims.filter(isNew)
  if (changed.length > 0) {
    await recordChanged(services, batch, changed, { foundOf, head })
  }
  // What a transaction pays may be in a block not read yet: until then its batch gets no file.
  if (isWhole) await keepMined()
  return isWhole
}

async function recordChanged(
  services: Services,
  batch: BatchRow,
  changed: readonly ClaimRow[],
  { foundOf, head }: { foundOf: ReadonlyMap<string, FoundPayout>; head: bigint },
): Promise<void> {
  const before = new Map(changed.map((claim) => [claim.id, claim.transaction_hash]))
  const gone = [...before.keys()].filter((id) => !foundOf.has(id))
  const doubles = await listDoublePayments(services.database, gone)
  const batchIds = [...new Set([batch.id, ...doubles.map(({ batch_id: id }) => id)])]
  // All sights at once: else the batch's file would have the rest of a transaction meanwhile.
  await services.database.transaction().execute(async (transaction) => {
    // Batches before their claims: cancelling a batch locks them in this order.
    const locked = doubles.length > 0 ? await lockBatches(transaction, batchIds) : []
    const claims = await lockWithPurchases(transaction, [...before.keys()])
    const seconds = await listDoublePayments(transaction, gone)
    const paid: Parameters<typeof payBySecond>[3][number][] = []
    for (const claim of claims) {
      const { id, state, batch_id: batchId, transaction_hash: hash } = claim
      const transfer = foundOf.get(id) ?? null
      const second = seconds.find(({ claim_id: paidId }) => paidId === id)
      const isIts = batchId === batch.id && (state === 'batched' || state === 'sent')
      // Another instance has read more, or found a second payment, meanwhile.
      const isStale =
        transfer === null &&
        (hash !== before.get(id) ||
          (second !== undefined && locked.every((each) => each.id !== second.batch_id)))
      if (!isIts || isStale) continue
      await recordSight(transaction, claim, transfer && { ...transfer, head })
      if (second !== undefined) paid.push({ claim, second, head })
    }
    const acts = await payBySecond(services, transaction, locked, paid)
    for (const act of acts) await recordAction(services, transaction, theServer, act)
  })
  const found = changed.flatMap(({ id }) => foundOf.get(id) ?? [])
  await keepDeep(services, batch.id, found)
  for (const id of batchIds) await closeBatch(services, id)
}

/**
 * Whether a node has too little of the chain to say that a transfer that another node had is gone.
 */
function isBehind({ seen_height: seen, confirmations }: ClaimRow, head: bigint): boolean {
  if (seen === null) return false
  // A transfer that waits for a block may not have reached every node yet.
  return confirmations === 0 ? head <= seen : head < seen
}

function isAsKnown(claim: ClaimRow, transfer: FoundPayout | null, head: bigint): boolean {
  if (transfer === null) return claim.state === 'batched'
  return (
    head <= (claim.seen_height ?? 0n) &&
    claim.transaction_hash === transfer.transactionHash &&
    claim.output_index === transfer.index &&
    claim.confirmations === transfer.confirmations &&
    transfer.confirmations < transfer.requiredConfirmations
  )
}
