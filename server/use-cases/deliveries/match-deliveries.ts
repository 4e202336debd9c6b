import type {
  EventRow,
  ListedRow,
  NewEvent,
  SameSender,
  TakenLog,
} from '#server/database/delivery/distribution-events.ts'
import type { SeenDelivery } from '#server/ports/claims.ts'

/** What is recorded about the rows that a reading may concern. */
export type KnownRows = {
  distributionId: bigint
  /** True if nothing more was expected of it, so that active distributions come first. */
  hasEnded: boolean
  rows: readonly ListedRow[]
  /** Their events below the blocks read now, which stay. */
  settled: readonly Pick<EventRow, 'place' | 'amount'>[]
  /** Logs above them that are recorded for it, other than late ones. */
  own: readonly TakenLog[]
  /** Logs that are recorded for other distributions. */
  taken: readonly TakenLog[]
  /** Rows of other distributions by the same sender. */
  others: readonly SameSender[]
}

/**
 * Assigns each event to at most one row. A claim belongs to the row with its place and owner. A
 * transfer belongs to a row of its recipient: preferably one of exactly its amount, in the earliest
 * distribution that still waits for it. A transfer of another amount counts as a part, until one of
 * exactly its amount has come. If a row elsewhere has that amount, it is a part only as exactly the
 * rest of a row that got one before, and if no active distribution waits for it. A row waits for
 * nothing once its transfers add up to its amount. One more of exactly its amount, for which no
 * distribution waits, is repeated, and of no row. An ended distribution only gets transfers that no
 * other one waits for, and no parts. Whatever is recorded for a distribution stays there, ended or
 * not, even if a reorganisation has moved its transaction into another block.
 */
export function matchDeliveries(seen: readonly SeenDelivery[], known: KnownRows): NewEvent[] {
  const { distributionId, hasEnded, rows } = known
  const isTaken = takenAmong(seen, known)
  const own = new Set(known.own.map((each) => likeOf(each.transaction_hash, each)))
  const isOwn = (each: SeenDelivery) => own.has(likeOf(each.transactionHash, each))
  const byAddress = new Map(rows.map((row) => [row.address, row]))
  const claimed = new Set(known.settled.map(({ place }) => place))
  const arrived = new Map<number | null, bigint>()
  const count = ({ place, amount }: Pick<EventRow, 'place' | 'amount'>) =>
    arrived.set(place, (arrived.get(place) ?? 0n) + amount)
  for (const each of known.settled) count(each)
  const isWhole = ({ place, amount }: ListedRow) => (arrived.get(place) ?? 0n) >= amount
  const exact = new Set<number>()
  const others = Map.groupBy(known.others, nameOf)
  const othersLike = (row: ListedRow) => others.get(nameOf(row)) ?? []
  const events: NewEvent[] = []
  const parts: { place: number; event: NewEvent }[] = []
  const isOfOtherRow = awaitedAmong(known)
  const isPart = (row: ListedRow, each: SeenDelivery) => {
    if (isOwn(each)) return true
    if (hasEnded || isWhole(row)) return false
    const like = { ...row, amount: each.amount }
    if (othersLike(like).length === 0) return true
    return !isOfOtherRow(like) && (arrived.get(row.place) ?? 0n) + each.amount === row.amount
  }

  for (const each of seen) {
    if (isTaken(each)) continue
    const row = byAddress.get(each.owner ?? '')
    if (each.kind === 'swept' || each.kind === 'unknown') {
      // What a contract pays to a row's wallet counts for that row, whatever event reports it. It
      // pays no row more than its amount: more was taken back to that wallet.
      const isPaid = row !== undefined && !claimed.has(row.place) && each.amount <= row.amount
      events.push(
        isPaid
          ? eventOf(distributionId, { ...each, kind: 'claimed' }, row.place)
          : eventOf(distributionId, each, null),
      )
      if (isPaid) claimed.add(row.place)
      continue
    }
    if (row === undefined || (each.place !== null && each.place !== row.place)) continue
    const event = eventOf(distributionId, each, row.place)
    if (each.claimed !== null) {
      if (!claimed.has(row.place)) events.push(event)
      claimed.add(row.place)
    } else if (each.amount !== row.amount) {
      if (!isPart(row, each)) continue
      parts.push({ place: row.place, event })
      count({ place: row.place, amount: each.amount })
    } else if (isWhole(row)) {
      if (!isOfNoList(othersLike(row), known)) continue
      events.push({ ...event, kind: 'repeated', place: null, is_late: true })
    } else if (isOwn(each) || !isOfOther(othersLike(row), known)) {
      exact.add(row.place)
      events.push(event)
      count({ place: row.place, amount: each.amount })
    }
  }
  const counted = parts.filter(({ place }) => !exact.has(place))
  return [...events, ...counted.map(({ event }) => event)]
}

/**
 * Whether a log is recorded for another distribution. In another block it has another index, so
 * that any like one of the same transaction stands for it, once.
 */
function takenAmong(seen: readonly SeenDelivery[], { taken }: Pick<KnownRows, 'taken'>) {
  const nameOf = (block: string, hash: string, index: number) => `${block} ${hash} ${index}`
  const names = new Set(
    taken.map((each) => nameOf(each.block_hash, each.transaction_hash, each.log_index)),
  )
  const blockOf = new Map(seen.map((each) => [each.transactionHash, each.blockHash]))
  const moved = new Map<string, number>()
  for (const each of taken) {
    const like = likeOf(each.transaction_hash, each)
    if (each.block_hash === blockOf.get(each.transaction_hash)) continue
    moved.set(like, (moved.get(like) ?? 0) + 1)
  }
  return (each: SeenDelivery) => {
    if (names.has(nameOf(each.blockHash, each.transactionHash, each.logIndex))) return true
    const like = likeOf(each.transactionHash, each)
    const left = moved.get(like) ?? 0
    if (left > 0) moved.set(like, left - 1)
    return left > 0
  }
}

const nameOf = ({ address, amount }: Pick<ListedRow, 'address' | 'amount'>) =>
  `${address} ${amount}`

/**
 * Whether a row of another distribution that has not ended waits for such a transfer. Each waits
 * for one: the next is the rest of a row that was sent a part.
 */
function awaitedAmong({ others }: Pick<KnownRows, 'others'>) {
  const awaited = Map.groupBy(
    others.filter(({ isPaid, hasEnded }) => !isPaid && !hasEnded),
    nameOf,
  )
  return (like: Pick<ListedRow, 'address' | 'amount'>) =>
    awaited.get(nameOf(like))?.pop() !== undefined
}

const likeOf = (hash: string, { receiver, amount }: Pick<SeenDelivery, 'receiver' | 'amount'>) =>
  `${hash} ${receiver} ${amount}`

/**
 * Whether another distribution by the same sender still waits for such a transfer and comes first:
 * active ones before ended ones, then the earlier one.
 */
function isOfOther(
  others: readonly SameSender[],
  { distributionId: id, hasEnded }: Pick<KnownRows, 'distributionId' | 'hasEnded'>,
): boolean {
  return others.some((other) => {
    const isFirst = other.hasEnded === hasEnded ? other.id < id : hasEnded
    return isFirst && !other.isPaid
  })
}

/**
 * Whether no list waits for such a transfer any more: it was sent once too often. The earliest list
 * has it then.
 */
function isOfNoList(
  others: readonly SameSender[],
  { distributionId }: Pick<KnownRows, 'distributionId'>,
): boolean {
  return others.every(({ id, isPaid }) => isPaid && id > distributionId)
}

function eventOf(distributionId: bigint, seen: SeenDelivery, place: number | null): NewEvent {
  return {
    distribution_id: distributionId,
    place,
    kind: seen.kind,
    transaction_hash: seen.transactionHash,
    log_index: seen.logIndex,
    block_height: seen.blockHeight,
    block_hash: seen.blockHash,
    at: seen.at,
    receiver: seen.receiver,
    amount: seen.amount,
  }
}
