import type { Watched } from '#server/payments/chains/watch-list.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { type Asset, NATIVE } from './calls/read-balances.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import type { EvmNode, FullBlock, Log, TransactionReceipt } from './calls/node.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { recipientOf, senderOf } from './tokens/transfer-logs.ts'

/** Something that reached a watched address. Addresses and contracts are in lower case. */
export type Incoming = {
  asset: Asset
  address: string
  amount: bigint
  block: Block
  transactionHash: string
  /** 0 for the coins that the transaction itself carries, 1 + n for its n-th log. */
  index: number
  /** Left out if it was sent when its block was made, as far as anybody knows. */
  sentAt?: Date
  /** Who sent the transaction that carries the coins; left out if a log reported the transfer. */
  sender?: string
}

/** Coins that left a watched address through one of its own transactions. */
export type Outgoing = {
  address: string
  /** Null if the transaction makes a contract. */
  to: string | null
  amount: bigint
  fee: bigint
  block: Block
  transactionHash: string
}

/** Tokens that left a watched address. */
export type OutgoingTokens = Omit<Outgoing, 'fee' | 'to'> & {
  asset: Asset
  to: string
  index: number
}

const CALLS_AT_ONCE = 8
export const OWN_VALUE_INDEX = 0
const FIRST_LOG_INDEX = 1

/** The native coins that transactions in these blocks moved to or from watched addresses. */
export async function readNativeMovements(
  node: EvmNode,
  blocks: readonly FullBlock[],
  watched: Watched,
): Promise<{ incoming: Incoming[]; outgoing: Outgoing[] }> {
  const ours = blocks.flatMap((block) =>
    block.transactions
      .filter(({ from, to }) => watched.has(from) || (to !== null && watched.has(to)))
      .map((transaction) => ({ block, transaction })),
  )
  const known = await mapWithConcurrency(ours, CALLS_AT_ONCE, async ({ block, transaction }) => ({
    block,
    transaction,
    receipt: await readReceipt(node, block, transaction.hash),
  }))
  const incoming = known.flatMap(({ block, transaction, receipt }): Incoming[] => {
    const { from: sender, to, value: amount, hash: transactionHash } = transaction
    if (to === null || !watched.has(to) || amount === 0n || !hasSucceeded(receipt)) return []
    const index = OWN_VALUE_INDEX
    return [{ asset: NATIVE, address: to, amount, block, transactionHash, index, sender }]
  })
  const outgoing = known.flatMap(({ block, transaction, receipt }): Outgoing[] => {
    const { from: address, to, value, hash: transactionHash } = transaction
    if (!watched.has(address)) return []
    const amount = hasSucceeded(receipt) ? value : 0n
    return [{ address, to, amount, fee: feeOf(receipt), block, transactionHash }]
  })
  return { incoming, outgoing }
}

/**
 * The transfers that logs of these blocks report, each confirmed by its transaction's receipt: to
 * watched addresses, and from them.
 */
export async function confirmLogs(
  node: EvmNode,
  blocks: readonly FullBlock[],
  logs: readonly Log[],
  watched: Watched,
): Promise<{ incoming: Incoming[]; outgoing: OutgoingTokens[] }> {
  const byHeight = new Map(blocks.map((block) => [block.number, block]))
  const placed = new Map<string, ReadonlyMap<bigint, { own: Log; place: number }>>()
  const hashes = new Map(logs.map((log) => [log.transactionHash, log.blockNumber]))
  await mapWithConcurrency([...hashes], CALLS_AT_ONCE, async ([hash, height]) => {
    const block = byHeight.get(height)
    if (block === undefined) return
    const receipt = await readReceipt(node, block, hash)
    if (!hasSucceeded(receipt)) return
    placed.set(hash, new Map(receipt.logs.map((own, place) => [own.logIndex, { own, place }])))
  })
  const known = logs.map((log) => {
    const block = byHeight.get(log.blockNumber)
    const found = placed.get(log.transactionHash)?.get(log.logIndex)
    const isSure = block?.hash === log.blockHash && found !== undefined && isSameLog(found.own, log)
    if (!isSure) throw contradiction(node, log.transactionHash)
    const { address: asset, data, transactionHash } = log
    // A log's own number counts from the start of its block, and changes if the block is replaced.
    const index = FIRST_LOG_INDEX + found.place
    const moved = { asset, amount: BigInt(data), block, transactionHash, index }
    return { moved, from: senderOf(log), to: recipientOf(log) }
  })
  return {
    incoming: known
      .filter(({ to }) => watched.has(to))
      .map(({ moved, to }) => ({ ...moved, address: to })),
    outgoing: known
      .filter(({ from }) => watched.has(from))
      .map(({ moved, from, to }) => ({ ...moved, address: from, to })),
  }
}

async function readReceipt(
  node: EvmNode,
  block: Block,
  transactionHash: string,
): Promise<TransactionReceipt> {
  const receipt = await node.receipt(transactionHash)
  if (receipt.blockHash === block.hash && receipt.transactionHash === transactionHash) {
    return receipt
  }
  throw contradiction(node, transactionHash)
}

function contradiction(node: EvmNode, transactionHash: string): Unavailable {
  return new Unavailable(`The node at ${node.host} contradicts itself about ${transactionHash}`)
}

function hasSucceeded({ status }: TransactionReceipt): boolean {
  return status === 1n
}

function feeOf(receipt: TransactionReceipt): bigint {
  const { gasUsed, effectiveGasPrice = 0n, blobGasUsed = 0n, blobGasPrice = 0n, l1Fee } = receipt
  return gasUsed * effectiveGasPrice + blobGasUsed * blobGasPrice + (l1Fee ?? 0n)
}

function isSameLog(one: Log, other: Log): boolean {
  return (
    one.logIndex === other.logIndex &&
    one.address === other.address &&
    one.data === other.data &&
    one.topics.join() === other.topics.join()
  )
}
