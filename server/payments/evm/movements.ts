import type { Watched } from '#server/payments/chains/address-book.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { type Asset, NATIVE } from './calls/read-balances.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import type { EvmNode, FullBlock, Log, TransactionReceipt } from './calls/node.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { recipientOf } from './tokens/transfer-logs.ts'

/** Something that reached a watched address. Addresses and contracts are in lower case. */
export type Incoming = {
  asset: Asset
  address: string
  amount: bigint
  block: Block
  transactionHash: string
  /** 0 for the coins that the transaction itself carries, 1 + n for its n-th log. */
  index: number
}

/** Coins that left a watched address, with the fee. */
export type Outgoing = { address: string; amount: bigint; height: bigint }

const CALLS_AT_ONCE = 8
const OWN_VALUE_INDEX = 0
const FIRST_LOG_INDEX = 1

/** The native coins that transactions of these blocks brought to watched addresses, or took. */
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
    const { to, value: amount, hash: transactionHash } = transaction
    if (to === null || !watched.has(to) || amount === 0n || !hasSucceeded(receipt)) return []
    return [{ asset: NATIVE, address: to, amount, block, transactionHash, index: OWN_VALUE_INDEX }]
  })
  const outgoing = known.flatMap(({ block, transaction, receipt }): Outgoing[] => {
    const { from: address, value } = transaction
    if (!watched.has(address)) return []
    const amount = feeOf(receipt) + (hasSucceeded(receipt) ? value : 0n)
    return [{ address, amount, height: block.number }]
  })
  return { incoming, outgoing }
}

/** What logs of these blocks say was sent, each confirmed by its transaction's receipt. */
export async function confirmLogs(
  node: EvmNode,
  blocks: readonly FullBlock[],
  logs: readonly Log[],
): Promise<Incoming[]> {
  const byHeight = new Map(blocks.map((block) => [block.number, block]))
  const receipts = new Map<string, TransactionReceipt>()
  const hashes = new Map(logs.map((log) => [log.transactionHash, log.blockNumber]))
  await mapWithConcurrency([...hashes], CALLS_AT_ONCE, async ([hash, height]) => {
    const block = byHeight.get(height)
    if (block !== undefined) receipts.set(hash, await readReceipt(node, block, hash))
  })
  return logs.flatMap((log): Incoming[] => {
    const block = byHeight.get(log.blockNumber)
    const receipt = receipts.get(log.transactionHash)
    const place = receipt?.logs.findIndex((own) => isSameLog(own, log)) ?? -1
    const isSure = block?.hash === log.blockHash && receipt !== undefined && place >= 0
    if (!isSure || !hasSucceeded(receipt)) throw contradiction(node, log.transactionHash)
    const { address: asset, data, transactionHash } = log
    const address = recipientOf(log)
    const amount = BigInt(data)
    // A log's own number counts from the start of its block, and changes when that is replaced.
    return [{ asset, address, amount, block, transactionHash, index: FIRST_LOG_INDEX + place }]
  })
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
