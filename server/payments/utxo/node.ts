import * as z from 'zod/mini'
import { type ExactJson, exactText, isExactRecord, readWrittenDecimal } from '#domain/exact-json.ts'
import type { Block, BlockSource } from '#server/payments/chains/blocks/block.ts'
import { createCheckedCalls } from '#server/payments/chains/nodes/checked-calls.ts'
import { type JsonRpc, RpcRefused, unlessRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { DECIMALS } from './coins.ts'
import { readTransaction, type Transaction } from './transactions.ts'

/**
 * What a node of the Bitcoin Core family is asked. It needs neither a wallet nor an index of all
 * transactions. The form of its answers is checked; whether they agree is up to the caller.
 */
export type UtxoNode = BlockSource & {
  /** Shows which network it belongs to, and whether it has caught up. */
  identity(address: string): Promise<Identity>
  /** Shows whether it knows of all waiting transactions. */
  readiness(): Promise<Readiness>
  blocks(heights: readonly bigint[]): Promise<Block[]>
  /** A whole block in serialised form, in hexadecimal digits. */
  rawBlock(hash: string): Promise<string>
  /** The ids of a block's transactions. */
  idsIn(blockHash: string): Promise<readonly string[]>
  transactionsOf(blockHash: string): Promise<Transaction[]>
  waiting(): Promise<string[]>
  /** Waiting transactions in serialised form; null for one that no longer waits. */
  rawTransactions(ids: readonly string[]): Promise<(string | null)[]>
  decode(rawTransaction: string): Promise<Transaction>
  /** Since when a transaction has waited; null if it no longer does. */
  waitingSince(id: string): Promise<Date | null>
  /** Which scripts have unspent outputs, which takes minutes; null if the node cannot say. */
  findUnspent(scripts: readonly string[]): Promise<ReadonlySet<string> | null>
  /** The progress of that search, in percent; null if there is none. */
  findingProgress(): Promise<number | null>
  /** Null if the node does not know it: without an index it only knows waiting transactions. */
  sent(id: string): Promise<{ transaction: Transaction; confirmations: number } | null>
  /** A mined transaction in serialised form; null if the node does not return it. */
  rawIn(id: string, blockHash: string): Promise<string | null>
  /** An output that no transaction has spent, not even a waiting one; otherwise null. */
  unspent(id: string, index: number): Promise<UnspentOutput | null>
  /** What transactions pay for 1,000 virtual bytes, in base units; null if nobody can say. */
  feeRate(): Promise<bigint | null>
}

type UnspentOutput = { amount: bigint; script: string; confirmations: number }

export type Identity = {
  /** `main`, or a network for tests. */
  network: string
  genesis: string
  /** What outputs to the given address look like; null if it is not one of this coin. */
  script: string | null
  isDownloading: boolean
}

export type Readiness = {
  /** How many other nodes it is connected to. */
  peers: number
  /** True while it still loads what waited before its last start. */
  isLoading: boolean
  /** True if it takes in no transactions but those of blocks. */
  isBlocksOnly: boolean
}

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const hex = z.string().check(z.regex(/^([0-9a-f]{2})*$/))
const whole = z.number().check(z.int(), z.gte(0))
const Header = z.object({
  height: whole,
  hash,
  /** The first block has none. */
  previousblockhash: z.optional(hash),
  time: whole,
})
const Contents = z.object({ tx: z.array(hash) })
const ChainInfo = z.object({
  chain: z.string(),
  initialblockdownload: z.optional(z.boolean()),
})
const NetworkInfo = z.object({ connections: whole, localrelay: z.optional(z.boolean()) })
/** Dogecoin's nodes do not say whether they have loaded it. */
const MempoolInfo = z.object({ loaded: z.optional(z.boolean()) })
const AddressInfo = z.object({ isvalid: z.boolean(), scriptPubKey: z.optional(hex) })
const Progress = z.nullable(z.object({ progress: z.number() }))
const Scan = z.object({ unspents: z.array(z.object({ scriptPubKey: hex })) })

/** How nodes refuse what they do not have, and calls that they do not know. */
const NOT_FOUND = -5
const UNKNOWN_CALL = -32_601

/** @param patient The same node, for a question that takes minutes. */
export function createUtxoNode(rpc: JsonRpc, patient: JsonRpc): UtxoNode {
  const calls = createCheckedCalls(rpc)
  const { ask, askEach, check, strange } = calls
  const transaction = (json: ExactJson, method: string): Transaction => {
    const read = readTransaction(json)
    if (read !== null) return read
    throw strange(method)
  }
  const blocks = async (heights: readonly bigint[]): Promise<Block[]> => {
    const hashes = await askEach(hash, 'getblockhash', heights.map(Number))
    return (await askEach(Header, 'getblockheader', hashes)).map(blockOf)
  }

  return {
    host: rpc.host,
    blocks,
    ...createSelfReport(ask),
    ...createPayoutCalls(rpc, calls),
    async head() {
      return blockOf(await ask(Header, 'getblockheader', await ask(hash, 'getbestblockhash')))
    },
    async block(height) {
      const [block] = await blocks([height])
      if (block === undefined) throw strange('getblockheader')
      return block
    },
    rawBlock: (hash) => ask(z.string(), 'getblock', hash, 0),
    idsIn: async (blockHash) => (await ask(Contents, 'getblock', blockHash, 1)).tx,
    async transactionsOf(blockHash) {
      const block = await rpc.callExactly('getblock', [blockHash, 2])
      const list = isExactRecord(block) ? block['tx'] : null
      if (!Array.isArray(list)) throw strange('getblock')
      return list.map((json: ExactJson) => transaction(json, 'getblock'))
    },
    waiting: () => ask(z.array(z.string()), 'getrawmempool'),
    async rawTransactions(ids) {
      const calls = ids.map((id) => [id])
      const answers = await rpc.callEach('getrawtransaction', calls)
      const checked = (answer: unknown) => check(z.string(), 'getrawtransaction', answer)
      return answers.map((answer) => (isMissing(answer) ? null : checked(answer)))
    },
    async decode(raw) {
      const method = 'decoderawtransaction'
      return transaction(await rpc.callExactly(method, [raw]), method)
    },
    async waitingSince(id) {
      const method = 'getmempoolentry'
      const [answer] = await rpc.callEach(method, [[id]])
      if (isMissing(answer)) return null
      return new Date(check(z.object({ time: whole }), method, answer).time * 1000)
    },
    async findUnspent(scripts) {
      const method = 'scantxoutset'
      const wanted = scripts.map((script) => `raw(${script})`)
      const [answer] = await patient.callEach(method, [['start', wanted]])
      if (answer instanceof RpcRefused && answer.code === UNKNOWN_CALL) return null
      const { unspents } = check(Scan, method, answer)
      return new Set(unspents.map(({ scriptPubKey }) => scriptPubKey))
    },
    async findingProgress() {
      return (await ask(Progress, 'scantxoutset', 'status'))?.progress ?? null
    },
  }
}

/** What a node reports about itself. */
function createSelfReport(
  ask: ReturnType<typeof createCheckedCalls>['ask'],
): Pick<UtxoNode, 'identity' | 'readiness'> {
  return {
    async identity(address) {
      const [info, genesis, known] = await Promise.all([
        ask(ChainInfo, 'getblockchaininfo'),
        ask(hash, 'getblockhash', 0),
        ask(AddressInfo, 'validateaddress', address),
      ])
      return {
        network: info.chain,
        genesis,
        script: known.isvalid ? (known.scriptPubKey ?? null) : null,
        isDownloading: info.initialblockdownload ?? false,
      }
    },
    async readiness() {
      const [network, mempool] = await Promise.all([
        ask(NetworkInfo, 'getnetworkinfo'),
        ask(MempoolInfo, 'getmempoolinfo'),
      ])
      return {
        peers: network.connections,
        isLoading: mempool.loaded === false,
        isBlocksOnly: network.localrelay === false,
      }
    },
  }
}

function blockOf({ height, hash, previousblockhash, time }: z.infer<typeof Header>): Block {
  const parentHash = previousblockhash ?? ''
  return { number: BigInt(height), hash, parentHash, timestamp: BigInt(time) }
}

function isMissing(answer: unknown): boolean {
  return answer instanceof RpcRefused && answer.code === NOT_FOUND
}

/** How many blocks a transaction may take to be mined. */
const WITHIN_BLOCKS = 6

/** What a node is asked for payouts. */
function createPayoutCalls(
  rpc: JsonRpc,
  { ask, strange }: ReturnType<typeof createCheckedCalls>,
): Pick<UtxoNode, 'sent' | 'rawIn' | 'unspent' | 'feeRate'> {
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
