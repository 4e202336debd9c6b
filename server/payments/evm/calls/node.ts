import * as z from 'zod/mini'
import type { Block, BlockSource } from '#server/payments/chains/blocks/block.ts'
import { createCheckedCalls } from '#server/payments/chains/nodes/checked-calls.ts'
import { type JsonRpc, unlessRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { Unavailable } from '#domain/unavailable.ts'

/**
 * What a node is asked. The form of its answers is checked; whether they agree is up to the caller.
 */
export type EvmNode = BlockSource & {
  /** For what has no function here. */
  rpc: JsonRpc
  chainId(): Promise<number>
  /** The newest block, without its transactions. */
  head(): Promise<Block>
  blockWithTransactions(height: bigint): Promise<FullBlock>
  receipt(transactionHash: string): Promise<TransactionReceipt>
  /** The logs of a range of blocks that match the filter. */
  logs(from: bigint, to: bigint, filter: LogFilter): Promise<Log[]>
  /** The result of a call that changes nothing, in the state after the block of that hash. */
  call(request: { from?: string; to?: string; data: string }, blockHash: string): Promise<string>
  /** The code at an address in the state after that block; `0x` if there is none. */
  codeAt(address: string, blockHash: string): Promise<string>
  /** The price of a unit of gas in wei, as the next blocks accept it. */
  gasPrice(): Promise<bigint>
  /** How many transactions an address has in the blocks up to a height, or to the newest. */
  transactionCount(address: string, height?: bigint): Promise<bigint>
  /** The gas that a transaction would need now. Throws `RpcRefused` if it would be reverted. */
  estimateGas(transaction: UnsignedTransaction): Promise<bigint>
  /** Throws `RpcRefused` with the node's reason if it does not accept it. */
  sendRaw(signed: string): Promise<void>
  /** Null if no block of the node has the transaction. */
  findReceipt(transactionHash: string): Promise<TransactionReceipt | null>
  /** Null if the node does not know it. */
  transaction(hash: string): Promise<SentTransaction | null>
  /** What every node keeps of a receipt; null if it waits for a block, or is unknown. */
  receiptOf(hash: string): Promise<MinedReceipt | null>
  /** All calls within a transaction; null if the node traces nothing. */
  trace(hash: string): Promise<Call | null>
}

export type UnsignedTransaction = { from: string; to: string; value?: bigint; data?: string }

/** By position, null for any; a list stands for any of its members. */
export type LogFilter = {
  contracts?: readonly string[]
  topics: readonly (string | readonly string[] | null)[]
}

export type FullBlock = z.infer<typeof FullBlock>
export type TransactionReceipt = z.infer<typeof TransactionReceipt>
export type Log = z.infer<typeof Log>
export type SentTransaction = z.infer<typeof SentTransaction>
export type MinedReceipt = Omit<z.infer<typeof MinedReceipt>, 'logs'> & {
  logs: Pick<Log, 'address' | 'topics'>[]
}
/** A call within a transaction, with the calls that it made, in order. */
export type Call = {
  type: string
  to?: string | undefined
  value?: bigint | undefined
  /** Set if it failed: then everything that it did is undone. */
  error?: string | undefined
  calls?: Call[] | undefined
}

/* The values in a node's answers, as Ethereum's JSON-RPC writes them (EIP-1474). */

const quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((text) => BigInt(text)),
)
const hash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))
const bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))
/** Addresses are compared in lower case. */
const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  z.transform((text) => text.toLowerCase()),
)

const blockFields = { number: quantity, hash, parentHash: hash, timestamp: quantity }
const Header = z.object(blockFields)
const FullBlock = z.object({
  ...blockFields,
  transactions: z.array(
    z.object({
      hash,
      from: address,
      nonce: z.optional(quantity),
      to: z.nullable(address),
      value: quantity,
    }),
  ),
})
const Log = z.object({
  address,
  topics: z.array(hash),
  data: bytes,
  blockNumber: quantity,
  blockHash: hash,
  transactionHash: hash,
  logIndex: quantity,
})
const TransactionReceipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: quantity,
  status: quantity,
  gasUsed: quantity,
  effectiveGasPrice: z.optional(quantity),
  /** Further fees that some networks take from the sender. */
  blobGasUsed: z.optional(quantity),
  blobGasPrice: z.optional(quantity),
  l1Fee: z.optional(z.nullable(quantity)),
  logs: z.array(Log),
})
const SentTransaction = z.object({
  hash,
  from: address,
  nonce: quantity,
  to: z.nullable(address),
  value: quantity,
  input: bytes,
})
const MinedReceipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: quantity,
  status: quantity,
  logs: z.array(z.object({ address, topics: z.array(hash) })),
})
const Call: z.ZodMiniType<Call> = z.object({
  type: z.string(),
  to: z.optional(address),
  value: z.optional(quantity),
  error: z.optional(z.string()),
  get calls() {
    return z.optional(z.array(Call))
  },
})

export function createEvmNode(rpc: JsonRpc): EvmNode {
  const { ask } = createCheckedCalls(rpc)

  async function askForBlock<Schema extends z.ZodMiniType>(
    schema: Schema,
    height: bigint | 'latest',
    isFull: boolean,
  ): Promise<z.infer<Schema>> {
    const which = height === 'latest' ? height : toHex(height)
    const found = await ask(z.nullable(schema), 'eth_getBlockByNumber', which, isFull)
    if (found !== null) return found
    throw new Unavailable(`The node at ${rpc.host} has no block ${height}`)
  }

  const findReceipt = async (transactionHash: string) =>
    await ask(z.nullable(TransactionReceipt), 'eth_getTransactionReceipt', transactionHash)

  return {
    rpc,
    host: rpc.host,
    chainId: async () => Number(await ask(quantity, 'eth_chainId')),
    head: () => askForBlock(Header, 'latest', false),
    block: (height) => askForBlock(Header, height, false),
    blockWithTransactions: (height) => askForBlock(FullBlock, height, true),
    findReceipt,
    async receipt(transactionHash) {
      const found = await findReceipt(transactionHash)
      if (found !== null) return found
      throw new Unavailable(`The node at ${rpc.host} has no receipt of ${transactionHash}`)
    },
    logs: (from, to, { contracts, topics }) =>
      ask(z.array(Log), 'eth_getLogs', {
        fromBlock: toHex(from),
        toBlock: toHex(to),
        topics,
        ...(contracts !== undefined && { address: contracts }),
      }),
    call: (request, blockHash) => ask(bytes, 'eth_call', request, { blockHash }),
    codeAt: (address, blockHash) => ask(bytes, 'eth_getCode', address, { blockHash }),
    gasPrice: () => ask(quantity, 'eth_gasPrice'),
    transactionCount: (address, height) =>
      ask(
        quantity,
        'eth_getTransactionCount',
        address,
        height === undefined ? 'latest' : toHex(height),
      ),
    estimateGas: ({ from, to, value, data }) =>
      ask(quantity, 'eth_estimateGas', {
        from,
        to,
        ...(value !== undefined && { value: toHex(value) }),
        ...(data !== undefined && { data }),
      }),
    async sendRaw(signed) {
      await ask(hash, 'eth_sendRawTransaction', signed)
    },
    transaction: (id) => ask(z.nullable(SentTransaction), 'eth_getTransactionByHash', id),
    receiptOf: (id) => ask(z.nullable(MinedReceipt), 'eth_getTransactionReceipt', id),
    trace: (id) =>
      unlessRefused(ask(z.nullable(Call), 'debug_traceTransaction', id, { tracer: 'callTracer' })),
  }
}

function toHex(value: bigint): string {
  return `0x${value.toString(16)}`
}
