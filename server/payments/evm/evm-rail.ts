import { usd } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { createWatchList } from '#server/payments/chains/watch-list.ts'
import type { AddressBook } from '#server/ports/address-book.ts'
import { type ConfirmationRule, confirmationsFor } from '#server/payments/chains/confirmations.ts'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { PayoutRecord } from '#server/ports/payouts.ts'
import type { Rail, TransferRecord } from '#server/ports/rail.ts'
import type { Clock, Log, Secret } from '#server/ports/runtime.ts'
import { deriveEvmAddress, deriveGasPayer } from './derive-address.ts'
import { createEvmChain } from './evm-chain.ts'
import { createEvmPool } from './calls/evm-pool.ts'
import { createEvmSweeping } from './sweeping/evm-sweeping.ts'
import {
  chainIdOf,
  chainNameOf,
  defaultConfirmations,
  defaultGraceSeconds,
  explorerUrl,
  isNamedByBlock,
} from './networks.ts'
import { createEvmPayouts } from './payouts/evm-payouts.ts'

export type EvmRailOptions = {
  key: ExtendedKey
  /** By chain id. Every chain with nodes is watched, even if the sale takes nothing on it. */
  nodeUrls: ReadonlyMap<number, readonly Secret[]>
  /** By chain id, where they differ from the defaults. */
  confirmations: ReadonlyMap<number, ConfirmationRule>
  /** By chain id, where they differ from the defaults. */
  graceSeconds: ReadonlyMap<number, number>
  /** By chain id: the address to which payments are swept. */
  treasuries: ReadonlyMap<number, string>
  paymentTokens: readonly PaymentToken[]
  book: AddressBook
  record: TransferRecord
  payoutRecord: PayoutRecord
  clock: Clock
  log: Log
  /** Null: according to the speed of each chain. */
  pace: Pace | null
}

/** Deriving takes a millisecond, and at first every chain asks about the same next addresses. */
const DERIVED_KEPT = 2_000
const PACE: Pace = { everyMs: 1_500, pauseMs: 1_000, pauseMaxMs: 30_000, recheckMs: 60_000 }
const ETHEREUM_PACE: Pace = { ...PACE, everyMs: 3_000 }

/**
 * Takes native coins and tokens on EVM chains, each purchase at an address of its own, which is
 * derived from an extended public key. It reads any node by JSON-RPC, and holds no private key.
 */
export function createEvmRail(options: EvmRailOptions): Rail & { connect(): Promise<void> } {
  const { key, nodeUrls, paymentTokens, book, record, payoutRecord, log } = options
  const watchList = createWatchList(book, key.name, (address) => address.toLowerCase())
  const derive = createDerive(key)
  const gasPayer = deriveGasPayer(key)
  const confirmationRule = (chainId: number) =>
    options.confirmations.get(chainId) ?? defaultConfirmations(chainId)
  const built = [...nodeUrls].map(([chainId, urls]) => {
    const shared = {
      name: chainNameOf(chainId),
      pool: createEvmPool(chainId, urls),
      paymentTokens: paymentTokens.filter((token) => token.chainId === chainId),
    }
    const treasury = options.treasuries.get(chainId) ?? null
    const confirmations = confirmationsFor(confirmationRule(chainId), usd(0n))
    const pace = options.pace ?? (chainId === 1 ? ETHEREUM_PACE : PACE)
    const records = { book, record, payees: payoutRecord.coins, clock: options.clock }
    const gas = { gasPayer: gasPayer.toLowerCase() }
    return {
      sweepable: { ...shared, chainId, treasury, confirmations },
      chain: createEvmChain({ ...shared, ...gas, ...records, pace, key, derive, watchList, log }),
    }
  })
  const chains = new Map(
    built.map(({ chain, sweepable }) => [sweepable.name, { ...chain, ...sweepable }]),
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
  const requiredConfirmations: Rail['requiredConfirmations'] = (chain, value) =>
    confirmationsFor(confirmationRule(chainIdOf(chain)), value)
  const shared = { chainNamed, chainOf, requiredConfirmations, record: payoutRecord }

  return {
    name: 'evm',
    chains: [...chains.keys()],
    chainOf,
    requiredConfirmations,
    graceMs({ chainId }) {
      const id = chainId ?? 0
      return (options.graceSeconds.get(id) ?? defaultGraceSeconds(id)) * 1_000
    },
    payouts: createEvmPayouts({ ...shared, everyMs: options.pace?.everyMs ?? null }),
    async createAddress({ purchaseId, paymentToken }) {
      const name = chainOf(paymentToken)
      await chainNamed(name).require(paymentToken)
      const { index, address } = await book.take(key, name, derive)
      return { address, paymentId: purchaseId, derivationIndex: index }
    },
    read: async (name, cursor, isAwaited) => await chainNamed(name).read(cursor, isAwaited),
    health: (name) => chainNamed(name).health(),
    faultOf: (paymentToken) => chainNamed(chainOf(paymentToken)).faultOf(paymentToken),
    hashOf: (transactionHash) => (isNamedByBlock(transactionHash) ? null : transactionHash),
    explorerUrl: (name, transactionHash) => explorerUrl(chainIdOf(name), transactionHash),
    sweeping: createEvmSweeping({
      fingerprint: key.fingerprint,
      payer: gasPayer,
      chains: built.map(({ sweepable }) => sweepable),
    }),
    async connect() {
      await Promise.all([...chains.values()].map((chain) => chain.connect()))
    },
  }
}

/** Addresses by index, as all chains ask about the same ones. */
function createDerive(key: ExtendedKey): (index: number) => string {
  const derived = new Map<number, string>()
  return (index) => {
    const address = derived.get(index) ?? deriveEvmAddress(key, index)
    if (derived.size >= DERIVED_KEPT) derived.clear()
    derived.set(index, address)
    return address
  }
}
