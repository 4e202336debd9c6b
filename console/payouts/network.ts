import { networkName } from '#domain/chains/chain.ts'

/**
 * The network of a batch as people call it: by its coins where those are of one, as a rail may read
 * several by a name of its own.
 */
export function networkOf(
  chain: string,
  sums: readonly { payment_token: { chain: string } }[],
): string {
  const [only, another] = new Set(sums.map((sum) => sum.payment_token.chain))
  return networkName({ chain: only !== undefined && another === undefined ? only : chain })
}
