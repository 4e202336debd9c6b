import * as z from 'zod/mini'
import { type ExactJson, exactText, isExactRecord, readWrittenDecimal } from '#domain/exact-json.ts'
import { createCheckedCalls } from '#server/payments/chains/nodes/checked-calls.ts'
import { type JsonRpc, unlessRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { DECIMALS } from './coins.ts'
import { readTransaction, type Transaction } from './transactions.ts'

/** What a node is asked for payouts. The form of its answers is checked. */
export type PayoutCalls = {
  /** Null if the node does not know it: without an index it only knows waiting transactions. */
  sent(id: string): Promise<{ transaction: Transaction; confirmations: number } | null>
  /** A mined transaction in serialised form; null if the node does not return it. */
  rawIn(id: string, blockHash: string): Promise<string | null>
  /** An output that no transaction has spent, not even a waiting one; otherwise null. */
  unspent(id: string, index: number): Promise<UnspentOutput | null>
  /** What transactions pay for 1,000 virtual bytes, in base units; null if nobody can say. */
  feeRate(): Promise<bigint | null>
}

export type UnspentOutput = { amount: bigint; script: string; confirmations: number }

/** How many blocks a transaction may take to be mined. */
const WITHIN_BLOCKS = 6

export function createPayoutCalls(rpc: JsonRpc): PayoutCalls {
  const { ask, strange } = createCheckedCalls(rpc)

  async function rateOf(method: string, field: string, params: unknown[]): Promise<bigint | null> {
    const answer = await unlessRefused(rpc.callExactly(method, params))
    return amountIn(answer, field)
  }

  return {
    async sent(id) {
      const method = 'getrawtransaction'
      const json = await unlessRefused(rpc.callExactly(method, [id, true]))
      if (json === null) return null
      const transaction = readTransaction(json)
      if (transaction === null || !isExactRecord(json)) throw strange(method)
      const confirmations = Number(readWrittenDecimal(exactText(json['confirmations']), 0) ?? 0n)
      return { transaction, confirmations }
    },
    rawIn: (id, blockHash) =>
      unlessRefused(ask(z.string(), 'getrawtransaction', id, false, blockHash)),
    async unspent(id, index) {
      const json = await rpc.callExactly('gettxout', [id, index, true])
      if (json === null) return null
      const script = isExactRecord(json) ? json['scriptPubKey'] : null
      const hex = isExactRecord(script) ? script['hex'] : null
      const amount = amountIn(json, 'value')
      const depth = isExactRecord(json)
        ? readWrittenDecimal(exactText(json['confirmations']), 0)
        : null
      if (typeof hex !== 'string' || amount === null || depth === null) throw strange('gettxout')
      return { amount, script: hex, confirmations: Number(depth) }
    },
    async feeRate() {
      const [estimated, floor, relayed] = [
        await rateOf('estimatesmartfee', 'feerate', [WITHIN_BLOCKS]),
        await rateOf('getmempoolinfo', 'mempoolminfee', []),
        await rateOf('getnetworkinfo', 'relayfee', []),
      ]
      const known = [estimated, floor, relayed].filter((rate) => rate !== null && rate > 0n)
      return known.reduce<bigint | null>(
        (most, rate) => (rate !== null && (most === null || rate > most) ? rate : most),
        null,
      )
    },
  }
}

function amountIn(json: ExactJson, field: string): bigint | null {
  return isExactRecord(json) ? readWrittenDecimal(exactText(json[field]), DECIMALS) : null
}
