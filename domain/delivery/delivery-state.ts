import type { DeliveryState, DistributionEventKind, DistributionTool } from './distribution.ts'

/** What the chain shows for a row of a distribution. */
export type RowSight = {
  kind: DistributionEventKind
  /** In base units of the token's contract. */
  amount: bigint
  /** Whether it is so deep that it is final. */
  isDeep: boolean
}

/**
 * Contracts that pay a row only once: what arrives is all that will arrive, even if the token
 * itself keeps a part.
 */
export const onceTools: readonly DistributionTool[] = [
  'uniswap',
  'hedgey',
  'sablier_instant',
  'sablier_linear',
  'sablier_tranched',
]

/**
 * What has become of a row of a distribution. If it was sent in parts, it has arrived once they add
 * up to its amount, or once nothing more comes: what a list that has ended lacks is due again.
 * @param isSwept Whether the sender has taken back so much that the row cannot be claimed any more.
 */
export function rowState(
  tool: DistributionTool,
  amount: bigint,
  seen: readonly RowSight[],
  { isSwept, hasEnded }: { isSwept: boolean; hasEnded: boolean },
): Exclude<DeliveryState, 'unassigned' | 'assigned'> {
  const paid = seen.filter(({ kind }) => kind !== 'swept')
  if (paid.length === 0) return isSwept ? 'swept' : 'published'
  const isWhole = hasEnded || onceTools.includes(tool) || sumOf(paid) >= amount
  return isWhole && paid.every(({ isDeep }) => isDeep) ? 'delivered' : 'claimed'
}

/**
 * How many of a user's tokens an ended row has handed out: all of them if it was paid in full,
 * otherwise the part that has arrived, rounded up so that no unit is handed out twice.
 */
export function tokensArrived(
  tool: DistributionTool,
  { tokens, amount }: { tokens: bigint; amount: bigint },
  arrived: bigint,
): bigint {
  if (arrived === 0n) return 0n
  if (onceTools.includes(tool) || arrived >= amount) return tokens
  return (tokens * arrived + amount - 1n) / amount
}

/** What has arrived for a row, in base units of the token's contract. */
export function sumOf(seen: readonly Pick<RowSight, 'amount'>[]): bigint {
  return seen.reduce((sum, { amount }) => sum + amount, 0n)
}
