import { Unavailable } from '#domain/unavailable.ts'
import type { Coin } from './coins.ts'
import type { UtxoNode } from './node.ts'

/**
 * Throws `Unavailable` for a node of another coin or network, and for one that does not know
 * everything: it has not caught up, has no peers, or has not loaded what waited before its start.
 * Coins that split from another share its first block: the script of an address tells them apart.
 * @param known An address of the coin, and what outputs to it look like.
 */
export async function requireNetwork(
  node: UtxoNode,
  { chain, genesis, nodeNetwork }: Coin,
  known: { address: string; script: string },
): Promise<void> {
  const identity = await node.identity(known.address)
  const who = `The node at ${node.host}`
  if (identity.network !== nodeNetwork) {
    throw new Unavailable(
      `${who} is of the network ${identity.network}, not of ${chain}’s, which is ${nodeNetwork}`,
    )
  }
  if (identity.genesis !== genesis || identity.script !== known.script) {
    throw new Unavailable(`${who} is of another coin, not of ${chain}`)
  }
  if (identity.isDownloading) {
    throw new Unavailable(`${who} is still downloading the blocks of ${chain}`)
  }
  const { peers, isLoading } = await node.readiness()
  if (peers === 0) {
    throw new Unavailable(`${who} has no peers: it does not hear of payments on ${chain}`)
  }
  if (isLoading) {
    throw new Unavailable(`${who} is still loading the transactions that wait for a block`)
  }
}
