import type { PaymentToken } from '#domain/sale/sale.ts'
import { createWatchList } from '#server/payments/chains/watch-list.ts'
import type { AddressBook } from '#server/ports/address-book.ts'
import { confirmationsFor } from '#server/payments/chains/confirmations.ts'
import { createJsonRpc } from '#server/payments/chains/nodes/json-rpc.ts'
import { postPatiently } from '#server/payments/chains/nodes/rpc-post.ts'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'
import { createNodePool, type NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { PayoutRecord } from '#server/ports/payouts.ts'
import type { Rail, TransferRecord } from '#server/ports/rail.ts'
import type { Clock, Log } from '#server/ports/runtime.ts'
import { type Coin, coinOf, coins, testCoins } from './coins.ts'
import { deriveUtxoAddress, scriptOf } from './derive-address.ts'
import { createUtxoNode, type UtxoNode } from './node.ts'
import type { CoinSettings, UtxoSettings } from './settings.ts'
import { createUtxoChain, type UtxoChain } from './utxo-chain.ts'
import { createUtxoPayouts, type PayoutLine } from './utxo-payouts.ts'
import { createScriptWatch } from './watched-scripts.ts'

export type UtxoRailOptions = {
  /** Every coin with a key and nodes is watched, even if the sale no longer takes it. */
  settings: UtxoSettings
  /** Those of the sale that this rail takes. */
  paymentTokens: readonly PaymentToken[]
  book: AddressBook
  record: TransferRecord
  payoutRecord: PayoutRecord
  clock: Clock
  log: Log
  /** Null: according to the chains. */
  pace: Pace | null
}

/** A coin that can be watched. */
type Line = PayoutLine & { chain: UtxoChain }

/** A node's answer that takes longer does not count. */
const ANSWER_WITHIN_MS = 10_000
/** Except for a search through all unspent outputs. */
const LONG_ANSWER_WITHIN_MS = 6 * 3_600_000
const PACE: Pace = { everyMs: 5_000, pauseMs: 1_000, pauseMaxMs: 30_000, recheckMs: 60_000 }

/**
 * Takes the coins of the Bitcoin family, each purchase at its own address, which is derived from an
 * extended public key for the coin. It reads nodes over JSON-RPC, and holds no private key.
 */
export function createUtxoRail(options: UtxoRailOptions): Rail & { connect(): Promise<void> } {
  const { settings, book } = options
  const lines = new Map<string, Line>()
  for (const each of settings) {
    const { coin, key, origin, nodeUrls } = each
    if (key === null || nodeUrls.length === 0) continue
    const pool = createPool(each, key)
    const chain = createChain(options, each, key, pool)
    lines.set(coin.chain, { coin, key, origin, pool, chain })
  }
  const lineNamed = (name: string): Line => {
    const line = lines.get(name)
    if (line === undefined) throw new Unavailable(`No node is set for ${name}`)
    return line
  }
  const requiredConfirmations: Rail['requiredConfirmations'] = (name, value) => {
    const own = settings.find(({ coin }) => coin.chain === name)?.confirmations
    return confirmationsFor(own ?? coinNamed(name)?.confirmations ?? [], value)
  }

  return {
    name: 'utxo',
    chains: [...lines.keys()],
    chainOf: (paymentToken) => coinOf(paymentToken).chain,
    requiredConfirmations,
    graceMs(paymentToken) {
      const coin = coinOf(paymentToken)
      return (settings.find((each) => each.coin === coin)?.graceSeconds ?? 0) * 1_000
    },
    payouts: createUtxoPayouts({
      lineNamed,
      requiredConfirmations,
      record: options.payoutRecord,
      everyMs: options.pace?.everyMs ?? null,
    }),
    async createAddress({ purchaseId, paymentToken }) {
      const { coin, key, chain } = lineNamed(coinOf(paymentToken).chain)
      const reason = chain.health.unavailableReason()
      if (reason !== null) throw new Unavailable(reason)
      const derive = (index: number) => deriveUtxoAddress(coin, key, index)
      const { index, address } = await book.take(key, coin.chain, derive)
      return { address, paymentId: purchaseId, derivationIndex: index }
    },
    read: async (name, cursor, isAwaited) => await lineNamed(name).chain.read(cursor, isAwaited),
    health: (name) => lineNamed(name).chain.health.current(),
    faultOf: (token) => lineNamed(coinOf(token).chain).chain.health.unavailableReason(),
    hashOf: (transactionHash) => transactionHash,
    explorerUrl(name, transactionHash) {
      const explorer = coinNamed(name)?.explorer
      return explorer ? `${explorer}${transactionHash}` : null
    },
    async connect() {
      await Promise.all([...lines.values()].map(({ chain }) => chain.connect()))
    },
  }
}

function coinNamed(name: string): Coin | undefined {
  return [...coins, ...testCoins].find(({ chain }) => chain === name)
}

function createPool({ coin, nodeUrls }: CoinSettings, key: ExtendedKey): NodePool<UtxoNode> {
  const first = deriveUtxoAddress(coin, key, 0)
  const known = { address: first, script: scriptOf(coin, first) }
  const nodes = nodeUrls.map((url) => {
    const rpc = createJsonRpc(url, ANSWER_WITHIN_MS)
    const patient = createJsonRpc(url, LONG_ANSWER_WITHIN_MS, postPatiently)
    return createUtxoNode(rpc, patient)
  })
  return createNodePool(nodes, (node) => requireNetwork(node, coin, known))
}

function createChain(
  { paymentTokens: all, book, record, clock, log, pace }: UtxoRailOptions,
  { coin }: CoinSettings,
  key: ExtendedKey,
  pool: NodePool<UtxoNode>,
): UtxoChain {
  const paymentTokens = all.filter((token) => coinOf(token) === coin)
  const scriptOfAddress = (address: string) => scriptOf(coin, address)
  const scripts = createScriptWatch({
    chain: coin.chain,
    key,
    book,
    watchList: createWatchList(book, key.name, scriptOfAddress),
    addressAt: (index) => deriveUtxoAddress(coin, key, index),
    scriptOf: scriptOfAddress,
    lookEveryMs: (pace ?? PACE).everyMs,
    log,
  })
  return createUtxoChain({
    coin,
    pool,
    paymentTokens,
    pace: pace ?? PACE,
    scripts,
    book,
    record,
    clock,
    log,
  })
}

/**
 * Throws `Unavailable` for a node of another coin or network, and for one that does not know
 * everything: it has not caught up, has no peers, takes in blocks only, or has not loaded what
 * waited before its start.
 * Coins that split from another share its first block: the script of an address tells them apart.
 * @param known An address of the coin, and what outputs to it look like.
 */
async function requireNetwork(
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
  const { peers, isLoading, isBlocksOnly } = await node.readiness()
  if (peers === 0) {
    throw new Unavailable(`${who} has no peers: it does not hear of payments on ${chain}`)
  }
  if (isBlocksOnly) {
    throw new Unavailable(`${who} takes in blocks only: it does not hear of payments on ${chain}`)
  }
  if (isLoading) {
    throw new Unavailable(`${who} is still loading the transactions that wait for a block`)
  }
}
