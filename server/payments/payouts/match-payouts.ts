import { cryptoAmount } from '#domain/money.ts'
import type {
  NamedSight,
  OtherAmount,
  Payout,
  PayoutSearch,
  TransferName,
} from '#server/ports/payouts.ts'

/** A transfer on a chain that may be one of the payouts. */
export type SeenTransfer = TransferName & {
  amount: bigint
  /** Whether its transaction may be the sale's own: others only keep what they already pay. */
  isOwn: boolean
  /** Zero while it waits for a block. */
  confirmations: number
}

/**
 * Matches each payout with a transfer of exactly its address, asset and amount, and no transfer
 * with two payouts. A payout keeps the transfer that was found for it before. If that is not taken
 * for the sale's own any more, as another transaction was named, it keeps it unless something else
 * pays it, since it would be offered for payment again. If several would do, named transactions
 * come first, then the one that pays most of the payouts, and then the deepest: the same chain
 * always gives the same result.
 * @param keyOf What addresses are compared by.
 */
export function matchPayouts<Transfer extends SeenTransfer>(
  payouts: readonly Payout[],
  seen: readonly Transfer[],
  { hashes, known, isTaken }: PayoutSearch,
  keyOf: (address: string) => string = (address) => address,
): { payout: Payout; transfer: Transfer }[] {
  const wantedOf = ({ address, paymentToken, amount }: Payout) =>
    `${keyOf(address)} ${paymentToken.id} ${amount}`
  const offerOf = ({ address, paymentTokenId, amount }: Transfer) =>
    `${keyOf(address)} ${paymentTokenId} ${amount}`
  const nameOf = (transfer: TransferName) => transferName(transfer, keyOf)
  const wanted = new Set(payouts.map(wantedOf))
  const offered = new Map<string, Transfer>()
  const foreign = new Map<string, Transfer>()
  const paidBy = new Map<string, number>()
  for (const transfer of seen) {
    const { transactionHash } = transfer
    const name = nameOf(transfer)
    if (offered.has(name) || isTaken(transfer)) continue
    if (!wanted.has(offerOf(transfer))) continue
    if (!transfer.isOwn) {
      if (!foreign.has(name)) foreign.set(name, transfer)
      continue
    }
    offered.set(name, transfer)
    paidBy.set(transactionHash, (paidBy.get(transactionHash) ?? 0) + 1)
  }
  const knownAmong = (transfers: ReadonlyMap<string, Transfer>, payout: Payout) => {
    const { id, address, paymentToken } = payout
    const before = known.get(id)
    const transfer =
      before && transfers.get(nameOf({ ...before, address, paymentTokenId: paymentToken.id }))
    return transfer && offerOf(transfer) === wantedOf(payout) ? transfer : undefined
  }
  const kept = new Map<string, Transfer>()
  for (const payout of payouts) {
    const transfer = knownAmong(offered, payout)
    if (transfer === undefined) continue
    kept.set(payout.id, transfer)
    offered.delete(nameOf(transfer))
  }
  const rankOf = ({ transactionHash }: Transfer) =>
    hashes.includes(transactionHash) ? Number.POSITIVE_INFINITY : (paidBy.get(transactionHash) ?? 0)
  const ordered = [...offered.values()].toSorted(
    (one, other) =>
      compare(rankOf(other), rankOf(one)) ||
      other.confirmations - one.confirmations ||
      compare(one.transactionHash, other.transactionHash) ||
      one.index - other.index,
  )
  const waiting = Map.groupBy(ordered, offerOf)
  // Of payouts that are alike, what comes new is for those that nothing else pays.
  const isPaidByForeign = (payout: Payout) => knownAmong(foreign, payout) !== undefined
  const inTurn = payouts.toSorted(
    (one, other) => Number(isPaidByForeign(one)) - Number(isPaidByForeign(other)),
  )
  return inTurn.flatMap((payout) => {
    const transfer =
      kept.get(payout.id) ?? waiting.get(wantedOf(payout))?.shift() ?? knownAmong(foreign, payout)
    return transfer === undefined ? [] : [{ payout, transfer }]
  })
}

/**
 * The transactions in which payouts of a batch are found for the first time. If one of them goes,
 * as by a reorganisation, what it spends says what became of it.
 * @param sights Those of the transactions that are followed.
 */
export function newlyFound(
  matches: readonly { transfer: SeenTransfer }[],
  { own, followed }: PayoutSearch,
  sights: readonly NamedSight[],
): string[] {
  if (own === null) return []
  const known = new Set([...followed, ...sights.map(({ replacedBy }) => replacedBy)])
  const hashes = new Set(matches.map(({ transfer }) => transfer.transactionHash))
  return [...hashes].filter((hash) => !known.has(hash))
}

/** Of each payout: more than a few tell an operator nothing. */
const OTHERS_MAX = 5

/**
 * What came to the addresses of payouts that have no match, in their asset and in an amount that no
 * payout has: the newest of each.
 */
export function findOtherAmounts<Transfer extends SeenTransfer>(
  payouts: readonly Payout[],
  seen: readonly Transfer[],
  matches: readonly { payout: Payout }[],
  { isTaken }: PayoutSearch,
  keyOf: (address: string) => string = (address) => address,
): OtherAmount[] {
  const placeOf = (address: string, tokenId: string) => `${keyOf(address)} ${tokenId}`
  const nameOf = (transfer: TransferName) => transferName(transfer, keyOf)
  const wanted = new Set(
    payouts.map(
      ({ address, paymentToken, amount }) => `${placeOf(address, paymentToken.id)} ${amount}`,
    ),
  )
  const others = new Map(
    seen
      .filter((each) => each.isOwn && !isTaken(each))
      .filter((each) => !wanted.has(`${placeOf(each.address, each.paymentTokenId)} ${each.amount}`))
      .map((each) => [nameOf(each), each]),
  )
  const byPlace = Map.groupBy(others.values(), ({ address, paymentTokenId }) =>
    placeOf(address, paymentTokenId),
  )
  const found = new Set(matches.map(({ payout }) => payout.id))
  return payouts.flatMap(({ id, address, paymentToken }) => {
    const came = found.has(id) ? [] : (byPlace.get(placeOf(address, paymentToken.id)) ?? [])
    return came
      .toSorted(
        (one, other) =>
          one.confirmations - other.confirmations || compare(nameOf(one), nameOf(other)),
      )
      .slice(0, OTHERS_MAX)
      .map(({ transactionHash, index, amount }) => ({
        id,
        transactionHash,
        index,
        amount: cryptoAmount(amount),
      }))
  })
}

/** @param keyOf What addresses are compared by. */
function transferName(
  { transactionHash, address, paymentTokenId, index }: TransferName,
  keyOf: (address: string) => string,
): string {
  return `${transactionHash} ${index} ${paymentTokenId} ${keyOf(address)}`
}

function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0
}
