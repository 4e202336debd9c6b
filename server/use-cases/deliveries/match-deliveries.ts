import type {
  EventRow,
  ListedRow,
  NewEvent,
  SameSender,
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
  /** By `block hash index`: logs recorded for other distributions. */
  taken: ReadonlySet<string>
  /** Rows of other distributions by the same sender. */
  others: readonly SameSender[]
}

/**
 * Assigns each event to at most one row. A claim belongs to the row with its place and owner. A
 * transfer belongs to a row of its recipient: preferably one of exactly its amount, in the earliest
 * distribution that still lacks such a transfer. A transfer of another amount counts as a part, as
 * long as the row has none of exactly its amount. An ended distribution only gets transfers that no
 * other one waits for, and no parts.
 */
export function matchDeliveries(seen: readonly SeenDelivery[], known: KnownRows): NewEvent[] {
  const { distributionId, hasEnded, rows, taken } = known
  const byAddress = new Map(rows.map((row) => [row.address, row]))
  const amounts = new Map(rows.map(({ place, amount }) => [place, amount]))
  const isExact = ({ place, amount }: Pick<EventRow, 'place' | 'amount'>) =>
    place !== null && amounts.get(place) === amount
  const claimed = new Set(known.settled.map(({ place }) => place))
  const exact = new Set(known.settled.filter(isExact).map(({ place }) => place))
  const nameOf = ({ address, amount }: Pick<ListedRow, 'address' | 'amount'>) =>
    `${address} ${amount}`
  const others = Map.groupBy(known.others, nameOf)
  const othersLike = (row: ListedRow) => others.get(nameOf(row)) ?? []
  const events: NewEvent[] = []
  const parts: { row: ListedRow; event: NewEvent }[] = []

  for (const each of seen) {
    if (taken.has(`${each.blockHash} ${each.transactionHash} ${each.logIndex}`)) continue
    const row = byAddress.get(each.owner ?? '')
    if (each.kind === 'swept' || each.kind === 'unknown') {
      // What a contract pays to a row's wallet counts for that row, whatever event reports it.
      const isPaid = row !== undefined && !claimed.has(row.place)
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
      parts.push({ row, event })
    } else if (!exact.has(row.place) && !isOfOther(othersLike(row), known)) {
      exact.add(row.place)
      events.push(event)
    }
  }
  const isPart = ({ row, event }: (typeof parts)[number]) =>
    !hasEnded && !exact.has(row.place) && othersLike({ ...row, amount: event.amount }).length === 0
  return [...events, ...parts.filter(isPart).map(({ event }) => event)]
}

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
