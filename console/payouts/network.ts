import { networkName } from '#domain/chains/chain.ts'

/**
 * A batch's network as people call it: by its coins if they share one, since a rail may have its
 * own name for the chain.
 */
export function networkOf(
  chain: string,
  sums: readonly { payment_token: { chain: string } }[],
): string {
  const [only, another] = new Set(sums.map((sum) => sum.payment_token.chain))
  return networkName({ chain: only !== undefined && another === undefined ? only : chain })
}
