import { acquireLease } from '#server/database/connection/leases.ts'
import {
  type EventRow,
  findRows,
  type FollowedRow,
  listEvents,
  listEventsOf,
  listFollowed,
  listOfSameSender,
  listTakenLogs,
  listUsersOf,
  lockFollowed,
  type NewEvent,
  notifyDeliveries,
  notifyUsers,
  releaseLogs,
  replaceEvents,
  findOutflow,
  updateRead,
} from '#server/database/delivery/distribution-events.ts'
import {
  tryLockDistributions,
  updateDistribution,
} from '#server/database/delivery/distributions.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { DeliveryChain, DeliveryReading, WatchedDistribution } from '#server/ports/claims.ts'
import type { Services } from '#server/services.ts'
import { recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { enqueueDelivered } from './delivery-mails.ts'
import { matchDeliveries } from './match-deliveries.ts'

/** How often the chains are read: claimed tokens show within about two blocks. */
const EVERY_MS = 15_000
/** The same for ended distributions, by which hardly anything ever arrives. */
const ENDED_EVERY_MS = 10 * 60_000
/**
 * A reading that takes longer continues; another instance may then read the same, but only one
 * writes.
 */
const LEASE_MS = 60_000
const ADDRESSES_AT_ONCE = 5_000

/**
 * A worker step that reads from the chains what became of the published distributions. Safe to
 * repeat, and to run on several instances at once.
 */
export function createDistributionWatch(): (services: Services) => Promise<void> {
  let readAt = Number.NEGATIVE_INFINITY
  let endedReadAt = Number.NEGATIVE_INFINITY
  return async (services) => {
    const { database, clock } = services
    if (performance.now() - readAt < EVERY_MS) return
    readAt = performance.now()
    const isTimeForEnded = readAt - endedReadAt >= ENDED_EVERY_MS
    const followed = (await listFollowed(database)).filter(
      ({ ended_at: endedAt }) => endedAt === null || isTimeForEnded,
    )
    if (followed.length === 0) return
    const now = clock.now()
    if (!(await acquireLease(database, 'follow-distributions', now, EVERY_MS, LEASE_MS))) return
    if (isTimeForEnded) endedReadAt = readAt
    await followDistributions(services, followed)
  }
}

/** A single such reading. If one chain's nodes fail, the other chains are still read. */
export async function followDistributions(services: Services, known?: readonly FollowedRow[]) {
  const followed = known ?? (await listFollowed(services.database))
  const byChain = Map.groupBy(followed, ({ chain_id: chainId }) => Number(chainId))
  await Promise.all([...byChain].map(([chainId, rows]) => followChain(services, chainId, rows)))
}

/**
 * In the order in which they were made: a transfer belongs to the earliest distribution that waits
 * for it.
 */
async function followChain(services: Services, chainId: number, followed: readonly FollowedRow[]) {
  const { log } = services
  const chain = services.deliveryChains.get(chainId)
  if (chain === undefined) {
    log.warn({ chainId }, `Deliveries cannot be followed: EVM_RPC_URL_${chainId} is not set`)
    return
  }
  const behind = new Set<string>()
  for (const distribution of followed) {
    const sender = nameOfSender(distribution)
    // A later distribution is not read past transfers that an earlier one could still get.
    if (behind.has(sender)) continue
    try {
      const reading = await follow(services, chain, distribution)
      if (reading?.isWhole !== true) behind.add(sender)
    } catch (error) {
      const facts = { error, chainId, distributionId: distribution.id }
      log.warn(facts, 'The progress of a distribution could not be read')
      if (error instanceof Unavailable) return
      behind.add(sender)
    }
  }
}

/**
 * Reads one distribution and, in their order, all others by the same contract or wallet, since a
 * transfer may belong to any of them. Returns what was read of the one, or null if an earlier one
 * was not read up to the newest block, or if another instance wrote at the same moment. Throws
 * `Unavailable` if no node answers.
 */
export async function followSender(
  services: Services,
  chain: DeliveryChain,
  distribution: FollowedRow,
): Promise<DeliveryReading | null> {
  const { id, chain_id: chainId } = distribution
  const sender = nameOfSender(distribution)
  let read: DeliveryReading | null = null
  for (const each of await listFollowed(services.database)) {
    if (each.chain_id !== chainId || nameOfSender(each) !== sender) continue
    const reading = await follow(services, chain, each)
    if (each.id === id) read = reading
    if (reading?.isWhole !== true) return read
  }
  return read
}

/** What may deliver for several lists. A campaign of a contract that has many does for one only. */
const nameOfSender = ({ contract, campaign }: Pick<FollowedRow, 'contract' | 'campaign'>) =>
  `${contract?.toLowerCase()} ${campaign}`

/** What is looked for on the chain for a distribution; null for one that was never published. */
export function watchedOf({
  tool,
  token,
  contract,
  campaign,
  made_at: madeAt,
  made_height: madeHeight,
  from_height: fromHeight,
  read_height: height,
  read_hash: hash,
}: FollowedRow): WatchedDistribution | null {
  if (contract === null || fromHeight === null) return null
  const settled = height === null || hash === null ? null : { height, hash }
  const since = madeHeight === null ? madeAt : null
  return { tool, token, contract, campaign, fromHeight, madeAt: since, settled }
}

/** Whether everything that left the contract has done so for good, so that its balance is final. */
export function isQuiet({ settled, lastSentAt }: DeliveryReading): boolean {
  return lastSentAt === null || (settled !== null && lastSentAt <= settled.height)
}

/** Returns what was read and written; null if another instance wrote meanwhile. */
async function follow(
  services: Services,
  chain: DeliveryChain,
  distribution: FollowedRow,
): Promise<DeliveryReading | null> {
  const watched = watchedOf(distribution)
  if (watched === null) return null
  const reading = await chain.read(watched)
  const isOpen = distribution.ended_at === null
  const isRead = isOpen && reading.isWhole
  const remaining = isRead
    ? await remainingOf(services, chain, distribution, reading)
    : distribution.remaining
  const isEmpty = isRead && isQuiet(reading) && remaining === 0n
  return await services.database.transaction().execute(async (transaction) => {
    const now = await lockFollowed(transaction, distribution)
    if (now === null) return null
    // What an ended distribution delivers is no longer due: a list in the making must not see that
    // halfway.
    if (!isOpen && !(await tryLockDistributions(transaction))) return null
    await record(services, transaction, { ...now, remaining }, reading)
    if (remaining !== now.remaining) await notifyDeliveries(transaction, now.id)
    if (isEmpty) await close(services, transaction, now)
    return reading
  })
}

/** What the contract can still pay, if some was swept: only part of it may be. Otherwise null. */
async function remainingOf(
  { database }: Services,
  chain: DeliveryChain,
  distribution: FollowedRow,
  { found, head }: DeliveryReading,
): Promise<bigint | null> {
  const { swept } = await findOutflow(database, distribution.id)
  const watched = watchedOf(distribution)
  const isSwept = swept > 0n || found.some(({ kind }) => kind === 'swept')
  return isSwept && watched !== null ? await chain.remaining(watched, head.hash) : null
}

async function record(
  services: Services,
  transaction: DatabaseTransaction,
  distribution: FollowedRow,
  reading: DeliveryReading,
): Promise<void> {
  const { id, read_height: readBefore } = distribution
  const { after, through, settled } = reading
  const before = await listEvents(transaction, id, after, through)
  const matching = await matched(transaction, distribution, reading, before)
  const found = distribution.ended_at === null ? matching : markLate(matching, before)
  const changed = differences(before, found)
  if (changed.length > 0) {
    const released = await releaseLogs(transaction, id, found)
    // What an ended distribution has not given after all is due again: see `follow`.
    if (released > 0 && !(await tryLockDistributions(transaction))) {
      throw new Unavailable('A distribution is being made. Try again in a minute')
    }
    await replaceEvents(transaction, id, reading, found)
  }
  await updateRead(transaction, distribution, settled)
  const readNow = settled?.height ?? -1n
  // While the reading goes back, nothing new is deep enough; what was stays until it is read again.
  const deepened = found.filter(({ block_height: at }) => at <= readNow && at > (readBefore ?? -1n))
  const touched = placesOf([...changed, ...deepened])
  await notifyUsers(transaction, await listUsersOf(transaction, id, touched))
  if (changed.some(({ place }) => place === null)) await notifyDeliveries(transaction, id)
  await enqueueDelivered(services, transaction, distribution, placesOf(deepened), readNow)
}

/** What an ended distribution shows beyond its state when it ended. */
function markLate(found: readonly NewEvent[], before: readonly EventRow[]): NewEvent[] {
  const wayOf = ({ transaction_hash: hash, place }: Event) => `${hash} ${place}`
  const onTime = new Set(before.filter(({ is_late: isLate }) => !isLate).map(wayOf))
  return found.map((event) => {
    if (event.place === null) return event
    return { ...event, is_late: !onTime.has(wayOf(event)) }
  })
}

type Event = EventRow | NewEvent

/** What was recorded but is no longer seen, and what is seen but was not recorded. */
function differences(before: readonly EventRow[], found: readonly NewEvent[]): Event[] {
  const namesBefore = new Set(before.map(nameOf))
  const namesNow = new Set(found.map(nameOf))
  return [
    ...before.filter((each) => !namesNow.has(nameOf(each))),
    ...found.filter((each) => !namesBefore.has(nameOf(each))),
  ]
}

const nameOf = (event: Event) =>
  [
    event.transaction_hash,
    event.log_index,
    event.block_hash,
    event.kind,
    event.place,
    event.amount,
  ].join(' ')

function placesOf(events: readonly Event[]): number[] {
  return [...new Set(events.flatMap(({ place }) => place ?? []))]
}

/** What was found, each event with its row. */
async function matched(
  database: Database,
  distribution: FollowedRow,
  { after, found }: DeliveryReading,
  before: readonly EventRow[],
): Promise<NewEvent[]> {
  if (found.length === 0) return []
  const { id } = distribution
  const owners = [...new Set(found.flatMap(({ owner }) => owner ?? []))]
  const hashes = [...new Set(found.map(({ transactionHash }) => transactionHash))]
  const rows = new Map<number, Awaited<ReturnType<typeof findRows>>[number]>()
  const others: Awaited<ReturnType<typeof listOfSameSender>> = []
  for (let from = 0; from < owners.length; from += ADDRESSES_AT_ONCE) {
    const addresses = owners.slice(from, from + ADDRESSES_AT_ONCE)
    for (const row of await findRows(database, id, addresses)) {
      rows.set(row.place, row)
    }
    others.push(...(await listOfSameSender(database, distribution, addresses)))
  }
  return matchDeliveries(found, {
    distributionId: id,
    hasEnded: distribution.ended_at !== null,
    rows: [...rows.values()],
    settled: await listEventsOf(database, id, [...rows.keys()], after),
    own: before.filter(({ is_late: isLate }) => !isLate),
    taken: await listTakenLogs(database, distribution, hashes),
    others,
  })
}

/**
 * Ends a distribution whose contract is empty, once everything that left it, sweeps included, is
 * deep enough. The balance decides, not the sums: a contract may be given more than is due.
 */
async function close(services: Services, transaction: DatabaseTransaction, { id }: FollowedRow) {
  const { swept, hasUnknown } = await findOutflow(transaction, id)
  if (swept === 0n || hasUnknown) return
  // What it gives back is due again: a list in the making must not see that halfway.
  if (!(await tryLockDistributions(transaction))) return
  const ended_at = services.clock.now()
  await updateDistribution(transaction, id, {
    state: 'closed',
    ended_at,
  })
  await recordAction(services, transaction, theServer, {
    act: 'closeDistribution',
    details: { distribution_id: String(id), swept: String(swept) },
  })
}
