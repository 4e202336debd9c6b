import type { PaymentToken } from '#domain/sale/sale.ts'
import { type AddressBook, createWatchList } from '#server/payments/chains/address-book.ts'
import { type ConfirmationRule, confirmationsFor } from '#server/payments/chains/confirmations.ts'
import { createJsonRpc } from '#server/payments/chains/nodes/json-rpc.ts'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'
import { createNodePool } from '#server/payments/chains/nodes/node-pool.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Rail, TransferRecord } from '#server/ports/rail.ts'
import type { Log, Secret } from '#server/ports/runtime.ts'
import { deriveEvmAddress } from './derive-address.ts'
import { createEvmChain, type EvmChain } from './evm-chain.ts'
import { createEvmNode, requireChainId } from './calls/node.ts'
import {
  chainIdOf,
  chainNameOf,
  defaultConfirmations,
  explorerUrl,
  isNamedByBlock,
} from './networks.ts'

export type EvmRailOptions = {
  key: ExtendedKey
  /** By chain id. Every chain with nodes is watched, also one that the sale takes nothing on. */
  nodeUrls: ReadonlyMap<number, readonly Secret[]>
  /** By chain id, where they differ from the defaults. */
  confirmations: ReadonlyMap<number, ConfirmationRule>
  /** Those of the sale that this rail takes. */
  paymentTokens: readonly PaymentToken[]
  book: AddressBook
  record: TransferRecord
  log: Log
  /** Null: by the chain's own speed. */
  pace: Pace | null
}

/** An answer of a node that takes longer does not count. */
const ANSWER_WITHIN_MS = 10_000
/** Deriving takes a millisecond, and every chain asks about the same next addresses at first. */
const DERIVED_KEPT = 2_000
const PACE: Pace = { everyMs: 1_500, pauseMs: 1_000, pauseMaxMs: 30_000, recheckMs: 60_000 }
const ETHEREUM_PACE: Pace = { ...PACE, everyMs: 3_000 }

/**
 * Takes native coins and tokens on EVM chains, each purchase at an address of its own, which is
 * derived from an extended public key. It reads any node by JSON-RPC, and holds no private key.
 */
export function createEvmRail(options: EvmRailOptions): Rail & { connect(): Promise<void> } {
  const { key, nodeUrls, paymentTokens, book, record, log } = options
  const watchList = createWatchList(book, key.name, (address) => address.toLowerCase())
  const derived = new Map<number, string>()
  const derive = (index: number): string => {
    const address = derived.get(index) ?? deriveEvmAddress(key, index)
    if (derived.size >= DERIVED_KEPT) derived.clear()
    derived.set(index, address)
    return address
  }

  const chains = new Map<string, EvmChain>(
    [...nodeUrls].map(([chainId, urls]) => {
      const nodes = urls.map((url) => createEvmNode(createJsonRpc(url, ANSWER_WITHIN_MS)))
      const chain = createEvmChain({
        name: chainNameOf(chainId),
        pool: createNodePool(nodes, (node) => requireChainId(node, chainId)),
        paymentTokens: paymentTokens.filter((token) => token.chainId === chainId),
        pace: options.pace ?? (chainId === 1 ? ETHEREUM_PACE : PACE),
        key,
        derive,
        watchList,
        book,
        record,
        log,
      })
      return [chainNameOf(chainId), chain]
    }),
  )
  const chainNamed = (name: string) => {
    const chain = chains.get(name)
    if (chain === undefined) throw new Unavailable(`No node is set for ${name}`)
    return chain
  }
  const chainOf = ({ id, chainId }: PaymentToken) => {
    if (chainId === null) throw new Error(`The payment token ${id} has no chain id.`)
    return chainNameOf(chainId)
  }

  return {
    name: 'evm',
    chains: [...chains.keys()],
    chainOf,
    requiredConfirmations({ chainId }, value) {
      const id = chainId ?? 0
      return confirmationsFor(options.confirmations.get(id) ?? defaultConfirmations(id), value)
    },
    async createAddress({ purchaseId, paymentToken }) {
      const name = chainOf(paymentToken)
      await chainNamed(name).require(paymentToken)
      const { index, address } = await book.take(key, name, derive)
      return { address, paymentId: purchaseId, derivationIndex: index }
    },
    read: (name, cursor) => chainNamed(name).read(cursor),
    health: (name) => chainNamed(name).health(),
    faultOf: (paymentToken) => chainNamed(chainOf(paymentToken)).faultOf(paymentToken),
    hashOf: (transactionHash) => (isNamedByBlock(transactionHash) ? null : transactionHash),
    explorerUrl: (name, transactionHash) => explorerUrl(chainIdOf(name), transactionHash),
    async connect() {
      await Promise.all([...chains.values()].map((chain) => chain.connect()))
    },
  }
}
