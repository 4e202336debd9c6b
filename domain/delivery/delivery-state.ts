import type { DeliveryState, DistributionEventKind, DistributionTool } from './distribution.ts'

/** What the chain shows of a row of a distribution. */
export type RowSight = {
  kind: DistributionEventKind
  /** In base units of the token's contract. */
  amount: bigint
  /** Whether it is so deep that it stays. */
  isDeep: boolean
}

/**
 * Contracts that pay a row once and for all: what arrives then is what is to arrive, also where the
 * token itself keeps a part of it.
 */
export const onceTools: readonly DistributionTool[] = [
  'uniswap',
  'hedgey',
  'sablier_instant',
  'sablier_linear',
  'sablier_tranched',
]

/**
 * What has become of a row of a published distribution. What was sent in parts has arrived once
 * they add up to its amount.
 * @param isSwept Whether the sender has taken back what nobody had claimed.
 */
export function rowState(
  tool: DistributionTool,
  amount: bigint,
  seen: readonly RowSight[],
  isSwept: boolean,
): Exclude<DeliveryState, 'unassigned' | 'assigned'> {
  const paid = seen.filter(({ kind }) => kind !== 'swept')
  if (paid.length === 0) return isSwept ? 'swept' : 'published'
  const isWhole = onceTools.includes(tool) || sumOf(paid) >= amount
  return isWhole && paid.every(({ isDeep }) => isDeep) ? 'delivered' : 'claimed'
}

/**
 * What of a user's tokens a row that has ended has given them: all of them once it was paid whole,
 * else the part that has arrived, rounded up, so that no unit is given twice.
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

/** What has arrived of a row, in base units of the token's contract. */
export function sumOf(seen: readonly Pick<RowSight, 'amount'>[]): bigint {
  return seen.reduce((sum, { amount }) => sum + amount, 0n)
}
