import * as z from 'zod/mini'
import { createCheckedCalls } from '#server/payments/chains/nodes/checked-calls.ts'
import { type JsonRpc, unlessRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { address, bytes, hash, quantity } from './json-rpc-values.ts'
import type { Log } from './node.ts'

/** What a node is asked about single transactions. The form of its answers is checked. */
export type TransactionCalls = {
  /** Null if the node does not know it. */
  transaction(hash: string): Promise<SentTransaction | null>
  /** Null if it waits for a block, or is unknown. */
  receiptOf(hash: string): Promise<MinedReceipt | null>
  /** All calls within a transaction; null if the node traces nothing. */
  trace(hash: string): Promise<Call | null>
}

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

export function createTransactionCalls(rpc: JsonRpc): TransactionCalls {
  const { ask } = createCheckedCalls(rpc)
  return {
    transaction: (id) => ask(z.nullable(SentTransaction), 'eth_getTransactionByHash', id),
    receiptOf: (id) => ask(z.nullable(MinedReceipt), 'eth_getTransactionReceipt', id),
    trace: (id) =>
      unlessRefused(ask(z.nullable(Call), 'debug_traceTransaction', id, { tracer: 'callTracer' })),
  }
}
