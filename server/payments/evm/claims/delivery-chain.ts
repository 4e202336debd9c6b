import { Unavailable } from '#domain/unavailable.ts'
import { type Block, least } from '#server/payments/chains/blocks/block.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import {
  addressAt,
  hasWords,
  numberAt,
  topicOf,
  TRANSFER,
  wordAt,
} from '#server/payments/evm/calls/abi.ts'
import { readDecimals, unlessReverted } from '#server/payments/evm/calls/contract-calls.ts'
import { createEvmPool } from '#server/payments/evm/calls/evm-pool.ts'
import type { EvmNode, Log, LogFilter } from '#server/payments/evm/calls/node.ts'
import { readBalances } from '#server/payments/evm/calls/read-balances.ts'
import type {
  ClaimContract,
  ClaimPlace,
  DeliveryChain,
  DeliveryReading,
  SeenDelivery,
  SettledBlock,
  WatchedDistribution,
} from '#server/ports/claims.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { readClaims, type Sight, topicsOf } from './read-claims.ts'

type Options = {
  chainId: number
  urls: readonly Secret[]
  confirmations: number
  explorerUrl(transactionHash: string): string | null
}

/** Shared nodes return the logs of this many blocks at a time. */
const BLOCKS_A_CALL = 500n
const BLOCKS_A_READING = 20_000n
const CALLS_AT_ONCE = 8

/** Longer than between two readings of an ended distribution, of which some are the last. */
const FAULT_KEPT_MS = 15 * 60_000

/** `root()`, `merkleRoot()` of Uniswap's, `MERKLE_ROOT()` of Sablier's contracts. */
const ROOT_CALLS = ['0xebf0c717', '0x2eb4a7ab', '0x51e75e8b']
/** `token()` of Uniswap's, `TOKEN()` of Sablier's contracts. */
const TOKEN_CALLS = ['0xfc0c546a', '0x82bfefc8']

/**
 * `campaigns(bytes16)` of Hedgey's contracts: manager, token, remaining amount, times, kind and
 * root, in one of three forms.
 */
const CAMPAIGN_CALL = '0x50b4aebe'
const CAMPAIGN_WORDS = [6, 7, 8]

export function createDeliveryChain(options: Options): DeliveryChain {
  const { chainId, urls, confirmations, explorerUrl } = options
  const pool = createEvmPool(chainId, urls)
  /** Why the last readings of distributions failed: each is forgotten when that one is read. */
  const faults = new Map<string, { fault: string; atMs: number }>()
  let readAtMs: number | null = null

  function note(distribution: string, fault: string | null): void {
    const now = performance.now()
    for (const [each, { atMs }] of faults) {
      if (each === distribution || now - atMs > FAULT_KEPT_MS) faults.delete(each)
    }
    if (fault !== null) faults.set(distribution, { fault, atMs: now })
    else if (faults.size === 0) readAtMs = now
  }

  return {
    chainId,
    confirmations,
    explorerUrl,
    height: () => pool.use(async (node) => (await node.head()).number),
    decimalsOf: (token) =>
      pool.use(async (node) => {
        const decimals = await readDecimals(node, token, (await node.head()).hash)
        return decimals !== null && decimals <= 255n ? Number(decimals) : null
      }),
    remaining: (place, blockHash) =>
      pool.use(async (node) => {
        const campaign = await readCampaign(node, place, blockHash)
        return campaign?.amount ?? (await readBalance(node, place, blockHash))
      }),
    contractOf: (place) => pool.use((node) => readContract(node, place)),
    async read(watched) {
      const distribution = `${watched.contract} ${watched.campaign} ${watched.fromHeight}`
      try {
        const { node, head, isReplaced } = await lookFrom(pool, watched)
        const known = isReplaced ? null : watched.settled
        const after = known?.height ?? (await firstHeight(node, watched, head)) - 1n
        const span = { head, after, settled: known, confirmations }
        const reading = await readAfter(node, watched, span)
        note(distribution, null)
        return reading
      } catch (error) {
        note(distribution, error instanceof Error ? error.message : 'Its nodes cannot be read')
        throw error
      }
    },
    health() {
      const now = performance.now()
      // Another server may read them by now.
      const recent = [...faults.values()].filter(({ atMs }) => now - atMs <= FAULT_KEPT_MS)
      return {
        readAgoMs: readAtMs === null ? null : now - readAtMs,
        fault: recent.at(-1)?.fault ?? null,
      }
    },
  }
}

type Look = { node: EvmNode; head: Block; isReplaced: boolean }

/**
 * Finds a node to read from. Blocks read for good count as replaced only if every node that has got
 * that far shows another block there; a node that has not is never read.
 */
async function lookFrom(
  pool: NodePool<EvmNode>,
  { settled }: Pick<WatchedDistribution, 'settled'>,
): Promise<Look> {
  const look = async (node: EvmNode): Promise<Look> => {
    const head = await node.head()
    if (settled === null) return { node, head, isReplaced: false }
    if (head.number < settled.height) {
      throw new Unavailable(`The node at ${node.host} has fewer blocks than were read`)
    }
    const { hash } = await node.block(settled.height)
    return { node, head, isReplaced: hash !== settled.hash }
  }
  const looks = await pool.askUntil(look, ({ isReplaced }) => !isReplaced)
  return looks.find(({ isReplaced }) => !isReplaced) ?? looks[0]
}

/**
 * Where reading begins: at the block that was named, or at the last one from before the list was
 * made if that is lower. Without a node nobody could tell that the block that was named is too
 * high, or does not exist yet.
 */
async function firstHeight(
  node: EvmNode,
  { fromHeight, madeAt }: WatchedDistribution,
  head: Block,
): Promise<bigint> {
  if (madeAt === null) return fromHeight
  const isBefore = async (height: bigint) =>
    Number((await node.block(height)).timestamp) * 1_000 < madeAt.getTime()
  const start = least(fromHeight, head.number)
  let [before, after] = [start, start]
  // Back from there, and no further than needed: nodes may not have old blocks any more.
  for (let step = 1n; before > 0n && !(await isBefore(before)); step *= 2n) {
    after = before
    before = before > step ? before - step : 0n
  }
  while (after - before > 1n) {
    const middle = before + (after - before) / 2n
    if (await isBefore(middle)) before = middle
    else after = middle
  }
  return before
}

type Span = Pick<WatchedDistribution, 'settled'> & {
  head: Block
  after: bigint
  confirmations: number
}

async function readAfter(
  node: EvmNode,
  watched: WatchedDistribution,
  { head, after, settled, confirmations }: Span,
): Promise<DeliveryReading> {
  const through = least(head.number, after + BLOCKS_A_READING)
  // Before the very first block there is nothing, so nothing is replaced.
  if (through <= after) {
    return {
      after,
      through: after,
      head: blockOf(head),
      lastSentAt: null,
      settled,
      found: [],
      isWhole: true,
    }
  }
  const last = await node.block(through)
  const { sights, lastSentAt } = await readSights(node, watched, after + 1n, through)
  const blocks = await blocksOf(node, sights)
  const found = sights.map((sight): SeenDelivery => {
    const block = blocks.get(sight.blockHeight)
    if (block?.hash !== sight.blockHash) throw changing(node)
    return { ...sight, at: new Date(Number(block.timestamp) * 1_000) }
  })
  const deep = least(through, head.number - BigInt(confirmations) + 1n)
  const next = deep > after ? await node.block(deep) : null
  // The chain may have changed meanwhile, so that some answers are about the former one.
  if ((await node.block(through)).hash !== last.hash) throw changing(node)
  return {
    after,
    through,
    head: blockOf(last),
    lastSentAt,
    settled: next === null ? settled : blockOf(next),
    found,
    isWhole: through === head.number,
  }
}

const blockOf = ({ number, hash }: Block): SettledBlock => ({ height: number, hash })

async function readSights(
  node: EvmNode,
  { tool, token, contract, campaign }: WatchedDistribution,
  from: bigint,
  to: bigint,
): Promise<{ sights: Sight[]; lastSentAt: bigint | null }> {
  const sender = contract.toLowerCase()
  const sent = { contracts: [token.toLowerCase()], topics: [TRANSFER, topicOf(sender)] }
  const topics = topicsOf(tool, campaign)
  const sights: Sight[] = []
  let lastSentAt: bigint | null = null
  for (let start = from; start <= to; start += BLOCKS_A_CALL) {
    const end = least(to, start + BLOCKS_A_CALL - 1n)
    const events =
      topics === null ? [] : await readLogs(node, start, end, { contracts: [sender], topics })
    const transfers = await readLogs(node, start, end, sent)
    for (const { blockNumber } of transfers) {
      if (lastSentAt === null || blockNumber > lastSentAt) lastSentAt = blockNumber
    }
    sights.push(...readClaims(tool, events, transfers, campaign))
  }
  return { sights, lastSentAt }
}

/** Reads logs. If a node finds them too many, it is asked for half the range. */
async function readLogs(
  node: EvmNode,
  from: bigint,
  to: bigint,
  filter: LogFilter & { contracts: readonly string[] },
): Promise<Log[]> {
  let logs: Log[]
  try {
    logs = await node.logs(from, to, filter)
  } catch (error) {
    if (!(error instanceof RpcRefused) || from === to) throw error
    const middle = from + (to - from) / 2n
    const first = await readLogs(node, from, middle, filter)
    return [...first, ...(await readLogs(node, middle + 1n, to, filter))]
  }
  const isAsked = ({ address, blockNumber }: Log) =>
    blockNumber >= from && blockNumber <= to && filter.contracts.includes(address)
  if (logs.every(isAsked)) return logs
  throw new Unavailable(`The node at ${node.host} sends logs that it was not asked for`)
}

async function blocksOf(
  node: EvmNode,
  sights: readonly Sight[],
): Promise<ReadonlyMap<bigint, Block>> {
  const heights = [...new Set(sights.map(({ blockHeight }) => blockHeight))]
  const blocks = await mapWithConcurrency(heights, CALLS_AT_ONCE, (height) => node.block(height))
  return new Map(blocks.map((block) => [block.number, block]))
}

/**
 * A campaign that was fully claimed, cancelled, or never made has nothing left: it has no token.
 */
type Campaign = { token: string | null; amount: bigint; root: Buffer | null }

async function readBalance(
  node: EvmNode,
  { token, contract }: ClaimPlace,
  blockHash: string,
): Promise<bigint> {
  const holder = contract.toLowerCase()
  const balances = await readBalances(node, token.toLowerCase(), [holder], blockHash)
  return balances.get(holder) ?? 0n
}

/** Null if none is asked for, or if the contract knows no campaigns at all. */
async function readCampaign(
  node: EvmNode,
  { contract, campaign }: ClaimPlace,
  blockHash: string,
): Promise<Campaign | null> {
  if (campaign === null) return null
  const data = `${CAMPAIGN_CALL}${campaign.slice(2).padEnd(64, '0')}`
  const answer = await unlessReverted(node.call({ to: contract.toLowerCase(), data }, blockHash))
  if (answer === null) return null
  const words = CAMPAIGN_WORDS.find((count) => hasWords(answer, count))
  if (words === undefined) return null
  if (numberAt(answer, 1) === 0n) return { token: null, amount: 0n, root: null }
  // The first releases have no start beside the end, so their root comes earlier.
  const root = wordAt(answer, words === 6 ? 5 : 6)
  return {
    token: addressAt(answer, 1),
    amount: numberAt(answer, 2),
    root: Buffer.from(root, 'hex'),
  }
}

async function readContract(node: EvmNode, place: ClaimPlace): Promise<ClaimContract> {
  const { hash } = await node.head()
  const to = place.contract.toLowerCase()
  const hasCode = !/^0x(ef0100[\da-f]{40})?$/i.test(await node.codeAt(to, hash))
  if (place.campaign !== null) {
    const found = await readCampaign(node, place, hash)
    const { root = null, token = null, amount: remaining = 0n } = found ?? {}
    return { hasCode, root, token, remaining }
  }
  const answers = async (calls: readonly string[]) => {
    for (const data of calls) {
      const answer = await unlessReverted(node.call({ to, data }, hash))
      if (answer !== null && hasWords(answer, 1)) return answer
    }
    return null
  }
  const root = await answers(ROOT_CALLS)
  const token = await answers(TOKEN_CALLS)
  return {
    hasCode,
    root: root === null ? null : Buffer.from(root.slice(2), 'hex'),
    token: token === null ? null : addressAt(token, 0),
    remaining: await readBalance(node, place, hash),
  }
}

const changing = (node: EvmNode) =>
  new Unavailable(`The node at ${node.host} has changed its blocks while it was asked`)
