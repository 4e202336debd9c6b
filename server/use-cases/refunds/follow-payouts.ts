import { acquireLease, endLeaseAt } from '#server/database/connection/leases.ts'
import {
  type BatchedClaimRow,
  type BatchRow,
  insertDoublePayment,
  listBatchClaims,
  listBatchesToFollow,
  lockBatch,
  putIntoBatch,
  takeOutOfBatch,
  updateBatch,
} from '#server/database/refunds/batches.ts'
import { type ClaimRow, updateClaims } from '#server/database/refunds/claims.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import { NotYet } from '#domain/unavailable.ts'
import type { FoundPayout } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import { recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { hashOfRows } from './batch-view.ts'
import { notifyOfClaim } from './claim-refund.ts'
import { lockWhole } from './decide-claim.ts'
import { findOnChain } from './find-on-chain.ts'
import { keepPaid } from './keep-paid.ts'
import { recheckPaid } from './recheck-paid.ts'

/** Every named transaction is looked up repeatedly for as long as its batch is followed. */
export const NAMED_MAX = 50
/** Somebody who has the file of a cancelled or paid batch may still send it. */
const LEFT_FOLLOWED_MS = 30 * 24 * 60 * 60_000
/** How often those are looked for. */
const LEFT_EVERY_MS = 10 * 60_000
/** One instance looks, and remembers what it has read. Another takes over when it stops. */
const LEASE = 'payouts'
const LEASE_MS = 20_000

/**
 * A worker step that looks on the chains for transfers that pay the batches, and records those that
 * are deep enough. One of all instances does it, and it is safe if two do. Claims that were taken
 * out of a batch, or paid, are looked for now and then: if one is found, it goes back into that
 * batch, or was paid twice.
 */
export function createPayoutWatch(): (services: Services) => Promise<void> {
  let leftAt = Number.NEGATIVE_INFINITY
  let heldUntil = Number.NEGATIVE_INFINITY
  return async (services) => {
    const { clock, database } = services
    const now = clock.now()
    const nowMs = now.getTime()
    if (nowMs < heldUntil) await endLeaseAt(database, LEASE, new Date(nowMs + LEASE_MS))
    else if (!(await acquireLease(database, LEASE, now, LEASE_MS, 2 * LEASE_MS))) return
    heldUntil = nowMs + LEASE_MS
    const isLeftDue = nowMs - leftAt >= LEFT_EVERY_MS
    await followPayouts(services, isLeftDue)
    if (isLeftDue) leftAt = nowMs
  }
}

/** A single such look; with `isLeftDue` also for claims that were taken out of batches, or paid. */
export async function followPayouts(services: Services, isLeftDue = true): Promise<void> {
  const { database, clock, log } = services
  // First, as what was sent in place of a transfer that has gone is no second payment.
  if (isLeftDue) await recheckPaid(services)
  const leftSince = new Date(clock.now().getTime() - LEFT_FOLLOWED_MS)
  const batches = await listBatchesToFollow(database, leftSince)
  const claims = await listBatchClaims(
    database,
    batches.map(({ id }) => id),
  )
  const isLeft = ({ left_at: at }: BatchedClaimRow) => at !== null && at > leftSince
  const isPaid = ({ left_at: at, state, closed_at: closedAt }: BatchedClaimRow) =>
    at === null && state === 'confirmed' && closedAt !== null && closedAt > leftSince
  type Step = { follow: typeof followLeft; isWanted(claim: BatchedClaimRow): boolean }
  // In this order, so that a transfer goes to the claim that waits for it.
  const left: Step[] = [
    { follow: followLeft, isWanted: (each) => isLeft(each) && isUnsent(each) },
    { follow: followLeft, isWanted: (each) => isPaid(each) || (isLeft(each) && !isUnsent(each)) },
  ]
  const steps: Step[] = [{ follow: followCurrent, isWanted: isCurrent }, ...(isLeftDue ? left : [])]
  // If a chain was not read through, its later steps are skipped: the claim that waits for a
  // transfer may not have it yet.
  const unread = new Set<string>()
  for (const { follow, isWanted } of steps) {
    const known = batches.filter(({ chain }) => !unread.has(chain))
    for (const batch of known) {
      try {
        await follow(services, batch, (claims.get(batch.id) ?? []).filter(isWanted))
      } catch (error) {
        const { id, chain } = batch
        unread.add(chain)
        if (error instanceof NotYet)
          log.debug({ error, chain }, 'The server looks for payouts later')
        else log.warn({ error, batchId: id, chain }, 'The server could not look for payouts')
      }
    }
  }
}

const isCurrent = ({ left_at: leftAt, state }: BatchedClaimRow) =>
  leftAt === null && (state === 'batched' || state === 'sent')

const isUnsent = ({ state }: BatchedClaimRow) => state === 'approved' || state === 'batched'

async function followCurrent(
  services: Services,
  batch: BatchRow,
  claims: readonly BatchedClaimRow[],
): Promise<void> {
  const payouts = services.rails.get(batch.rail)?.payouts
  if (payouts === undefined || batch.state === 'cancelled') return
  if (claims.length === 0) return await closeBatch(services, batch.id)
  const exceptIds = claims.map(({ id }) => id)
  const search = { payouts, exceptIds, isOwn: true }
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
  for (const claim of changed) {
    const transfer = foundOf.get(claim.id) ?? null
    await services.database.transaction().execute(async (transaction) => {
      const { claim: now } = await lockWhole(transaction, claim.id)
      const isIts = now.batch_id === batch.id && (now.state === 'batched' || now.state === 'sent')
      // Another instance has read more meanwhile.
      const isStale = transfer === null && now.transaction_hash !== claim.transaction_hash
      if (isIts && !isStale)
        await record(services, transaction, now, transfer && { ...transfer, head })
    })
  }
  // What a transaction pays may be in a block not read yet: until then its batch gets no file.
  if (isWhole) await keepMined()
  if (changed.length > 0) await closeBatch(services, batch.id)
}

/**
 * Whether a node has too little of the chain to say that a transfer that another node had is gone.
 */
function isBehind({ seen_height: seen, confirmations }: ClaimRow, head: bigint): boolean {
  if (seen === null) return false
  // A transfer that waits for a block may not have reached every node yet.
  return confirmations === 0 ? head <= seen : head < seen
}

type Sight = FoundPayout & { head: bigint }

const isDeep = ({ confirmations, requiredConfirmations: required }: FoundPayout) =>
  confirmations >= required

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

/** Records where a batch's claim is on the chain; `null`: its transfer is not there. */
async function record(
  services: Services,
  transaction: DatabaseTransaction,
  claim: ClaimRow,
  transfer: Sight | null,
): Promise<void> {
  const { id } = claim
  if (transfer === null) {
    if (claim.state === 'batched') return
    // Replaced, or taken back by a reorganisation.
    const change = {
      state: 'batched' as const,
      transaction_hash: null,
      output_index: null,
      confirmations: null,
      required_confirmations: null,
      seen_height: null,
    }
    await updateClaims(transaction, [id], change)
    await notifyOfClaim(transaction, claim)
    return
  }
  const sent = {
    state: 'sent' as const,
    transaction_hash: transfer.transactionHash,
    output_index: transfer.index,
    confirmations: transfer.confirmations,
    required_confirmations: transfer.requiredConfirmations,
    // Together with its confirmations, the last one says in which block the transfer is.
    seen_height: isDeep(transfer)
      ? transfer.head
      : greatest(claim.seen_height ?? 0n, transfer.head),
  }
  await updateClaims(transaction, [id], sent)
  if (!isDeep(transfer)) {
    await notifyOfClaim(transaction, claim)
    return
  }
  await keepPaid(services, transaction, { ...claim, ...sent }, transfer.transactionHash)
}

/**
 * What seems to pay a claim of a cancelled batch blocks that claim, whoever sent it, since it might
 * be paid twice otherwise; and a second payment deserves a look, whoever made it.
 */
async function followLeft(
  services: Services,
  batch: BatchRow,
  claims: readonly BatchedClaimRow[],
): Promise<void> {
  const payouts = services.rails.get(batch.rail)?.payouts
  if (payouts === undefined || claims.length === 0) return
  // The transfer that paid a claim is not a second payment of it.
  const search = { payouts, exceptIds: [], isOwn: false }
  const { found, isWhole, head, keepMined } = await findOnChain(services, batch, claims, search)
  let isRecorded = isWhole
  for (const transfer of found) {
    const otherId = claims.find(({ id }) => id === transfer.id)?.batch_id ?? null
    await services.database.transaction().execute(async (transaction) => {
      // Batches before their claims: cancelling a batch locks them in this order.
      for (const id of [batch.id, ...(otherId === null ? [] : [otherId])].toSorted(byId)) {
        await lockBatch(transaction, id)
      }
      const { claim } = await lockWhole(transaction, transfer.id)
      // It has moved elsewhere meanwhile: the next step sees it.
      if (claim.batch_id !== otherId) {
        isRecorded = false
        return
      }
      if (claim.state === 'approved' || claim.state === 'batched') {
        await takeBack(services, transaction, { batch, claim, transfer: { ...transfer, head } })
      } else if (claim.gone_at === null && isDeep(transfer)) {
        await noteDouble(services, transaction, { batch, claim, transfer })
      }
    })
  }
  if (isRecorded) await keepMined()
  if (found.length > 0) await closeBatch(services, batch.id)
}

const greatest = (one: bigint, other: bigint) => (one > other ? one : other)
const byId = (one: bigint, other: bigint) => (one < other ? -1 : Number(one > other))

type Found = { batch: BatchRow; claim: ClaimRow; transfer: FoundPayout }

/** A cancelled batch was sent after all: the claim is in it again. */
async function takeBack(
  services: Services,
  transaction: DatabaseTransaction,
  { batch, claim, transfer }: Found & { transfer: Sight },
): Promise<void> {
  const { id } = claim
  const otherId = claim.batch_id
  const now = services.clock.now()
  if (otherId !== null) await takeOutOfBatch(transaction, otherId, [id], now)
  await putIntoBatch(transaction, batch.id, [id])
  const change = { state: 'batched' as const, batch_id: batch.id }
  await updateClaims(transaction, [id], change)
  await record(services, transaction, { ...claim, ...change }, transfer)
  const named = withName(batch, transfer.transactionHash)
  await updateBatch(transaction, batch.id, { state: 'open', closed_at: null, ...named })
  await recordAction(services, transaction, theServer, {
    act: 'takeClaimBack',
    details: {
      claim_id: id,
      batch_id: String(batch.id),
      ...(otherId !== null && { from_batch_id: String(otherId) }),
      hash: transfer.transactionHash,
    },
  })
  if (otherId !== null) await shrinkBatch(services, transaction, otherId)
}

/** If only named transactions pay a batch, the one that has paid it is one of them. */
function withName({ named_hash: named, former_hashes: former }: BatchRow, hash: string) {
  const isByName = named !== null && named !== hash && !former.includes(hash)
  return isByName && former.length + 1 < NAMED_MAX ? { former_hashes: [...former, hash] } : {}
}

/** A batch that has lost a claim has a different file from now on, or none. */
async function shrinkBatch(
  services: Services,
  transaction: DatabaseTransaction,
  id: bigint,
): Promise<void> {
  const every = (await listBatchClaims(transaction, [id])).get(id) ?? []
  const own = every.filter(({ left_at: leftAt }) => leftAt === null)
  if (own.length === 0) {
    const reason = 'Its claims were paid by a batch that had been cancelled'
    const closed = { state: 'cancelled' as const, reason, closed_at: services.clock.now() }
    await updateBatch(transaction, id, closed)
  }
  const details = { batch_id: String(id), claims: String(own.length), sha256: hashOfRows(own) }
  const act = { act: 'shrinkRefundBatch' as const, details }
  await recordAction(services, transaction, theServer, act)
}

/** A paid claim was paid again, or a rejected one was paid for nothing. */
async function noteDouble(
  services: Services,
  transaction: DatabaseTransaction,
  { batch, claim, transfer }: Found,
): Promise<void> {
  const double = { claim, batch, transfer, at: services.clock.now() }
  if (!(await insertDoublePayment(transaction, double))) return
  await recordAction(services, transaction, theServer, {
    act: 'findDoublePayment',
    details: {
      claim_id: claim.id,
      batch_id: String(batch.id),
      hash: transfer.transactionHash,
    },
  })
}

/** A batch's state follows from its claims. */
async function closeBatch(services: Services, id: bigint): Promise<void> {
  await services.database.transaction().execute(async (transaction) => {
    const batch = await lockBatch(transaction, id)
    if (batch === null || batch.state === 'cancelled') return
    const every = (await listBatchClaims(transaction, [id])).get(id) ?? []
    const own = every.filter(({ left_at: leftAt }) => leftAt === null)
    const isPaid = own.every(({ state }) => state === 'confirmed')
    const isSent = own.every(({ state }) => state !== 'batched')
    const state = own.length === 0 ? batch.state : isPaid ? 'confirmed' : isSent ? 'sent' : 'open'
    if (state === batch.state) return
    const closed = { closed_at: state === 'confirmed' ? services.clock.now() : null }
    await updateBatch(transaction, id, { state, ...closed })
  })
}
