import type { RailName, Sale } from '#domain/sale/sale.ts'
import { admitInDatabase, isCopy, pinKey } from './database/rails/pinned-keys.ts'
import { createAddressBook } from './database/rails/derived-addresses.ts'
import { createGatewayRecord } from './database/rails/gateway-record.ts'
import { createPayoutRecord } from './database/rails/payout-record.ts'
import { stopOpenSweeps } from './database/sweeps/sweeps.ts'
import { readSandboxChain, readSandboxOutgoing } from './database/rails/sandbox-chain.ts'
import type { Database } from './database/tables/tables.ts'
import { createTransferRecord } from './database/rails/transfer-record.ts'
import { createBtcpayRail } from './payments/btcpay/btcpay-rail.ts'
import { createEvmRail } from './payments/evm/evm-rail.ts'
import { deriveEvmAddress, deriveGasPayer } from './payments/evm/derive-address.ts'
import { createEvmWallets } from './payments/evm/wallets/evm-wallets.ts'
import type { AddressBook } from '#server/ports/address-book.ts'
import type { GatewayCollaborators } from './payments/gateway/gateway-api.ts'
import type { ExtendedKey } from './payments/keys/extended-key.ts'
import { createNowpaymentsRail } from './payments/nowpayments/nowpayments-rail.ts'
import { createOutgoing } from './runtime/outgoing.ts'
import type { Pace } from './payments/chains/pacing.ts'
import type { RailSettings } from './config/rail-settings.ts'
import { createSandboxRail } from './payments/sandbox/sandbox-rail.ts'
import { deriveUtxoAddress } from './payments/utxo/derive-address.ts'
import { createUtxoRail } from './payments/utxo/utxo-rail.ts'
import type { Rail } from '#server/ports/rail.ts'
import type { Clock, Log } from '#server/ports/runtime.ts'
import type { Wallets } from '#server/ports/wallets.ts'
import { StartFault } from './start-faults.ts'

/** Each is derived in a millisecond, and watched from then on. */
const SKIPPED_MAX = 100_000

export type RailsOptions = {
  settings: RailSettings
  sale: Sale
  database: Database
  clock: Clock
  log: Log
  /** How often nodes are asked; null for what suits each chain. */
  pace?: Pace | null
  /** Where gateways reach the server; null if they cannot. */
  publicUrl: string | null
}

/** A key from which addresses are derived, for the operator to compare with the wallet. */
type KeyShown = { name: string; fingerprint: string; firstAddress: string }

export type BuiltRails = {
  rails: ReadonlyMap<RailName, Rail>
  keys: readonly KeyShown[]
}

/**
 * Builds the rails that a sale's payment tokens need. Keys are compared with the pinned ones:
 * throws {@link StartFault} if one differs. Nodes are asked for the first time; one that does not
 * answer makes its tokens unavailable until it does.
 */
export async function buildRails(options: RailsOptions): Promise<BuiltRails> {
  const { settings, sale, database, clock, log } = options
  const rails = new Map<RailName, Rail>()
  const tokensOf = (rail: RailName) => sale.paymentTokens.filter((token) => token.rail === rail)
  const book = createAddressBook(database, () => clock.now())
  const record = createTransferRecord(database)
  const payoutRecord = createPayoutRecord(database, () => clock.now())
  const shared = { book, record, payoutRecord, clock, log, pace: options.pace ?? null }

  if (tokensOf('sandbox').length > 0) {
    const rail = createSandboxRail({
      readAfter: (revision) => readSandboxChain(database, revision),
      readOutgoing: (addresses, since) => readSandboxOutgoing(database, addresses, since),
      clock,
    })
    rails.set('sandbox', rail)
  }
  const derivations = listDerivations(settings, sale)
  if (derivations.length > 0) await admitKeys(options, book, derivations)
  const { key } = settings.evm
  if (tokensOf('evm').length > 0 && key !== null) {
    const evm = { ...settings.evm, key, paymentTokens: tokensOf('evm') }
    const rail = createEvmRail({ ...shared, ...evm })
    await rail.connect()
    rails.set('evm', rail)
  }
  const coins = tokensOf('utxo')
  if (coins.length > 0) {
    const utxo = { settings: settings.utxo, paymentTokens: coins }
    const rail = createUtxoRail({ ...shared, ...utxo })
    await rail.connect()
    rails.set('utxo', rail)
  }
  for (const rail of buildGateways(options)) rails.set(rail.name, rail)
  return {
    rails,
    keys: derivations.map(({ key, derive }) => ({ ...key, firstAddress: derive(0) })),
  }
}

/** Can check wallets through all nodes in the settings, whatever the sale takes on their chains. */
export function buildWallets({ evm }: RailSettings, publicUrl: string): Wallets {
  const { key, nodeUrls, treasuries } = evm
  const gasPayer = key === null ? [] : [deriveGasPayer(key)]
  return createEvmWallets({ nodeUrls, sellers: [...treasuries.values(), ...gasPayer], publicUrl })
}

function buildGateways({ settings, sale, database, clock, log, ...options }: RailsOptions): Rail[] {
  const collaborators = (name: 'nowpayments' | 'btcpay'): GatewayCollaborators => ({
    paymentTokens: sale.paymentTokens.filter(({ rail }) => rail === name),
    record: createGatewayRecord(database, name),
    outgoing: createOutgoing(),
    clock,
    log,
    pace: options.pace ?? null,
  })
  const isUsed = (name: RailName) => sale.paymentTokens.some(({ rail }) => rail === name)
  return [
    ...(isUsed('nowpayments')
      ? [
          createNowpaymentsRail(
            settings.nowpayments,
            options.publicUrl,
            collaborators('nowpayments'),
          ),
        ]
      : []),
    ...(isUsed('btcpay')
      ? [createBtcpayRail(settings.btcpay, sale.purchases.expireAfterMs, collaborators('btcpay'))]
      : []),
  ]
}

type Derivation = { key: ExtendedKey; derive: (index: number) => string }

/** The keys from which a sale's addresses are derived. */
function listDerivations({ evm, utxo }: RailSettings, sale: Sale): Derivation[] {
  const isUsed = (name: RailName) => sale.paymentTokens.some(({ rail }) => rail === name)
  const derivations: Derivation[] = []
  const { key } = evm
  if (isUsed('evm') && key !== null) {
    derivations.push({ key, derive: (index) => deriveEvmAddress(key, index) })
  }
  if (!isUsed('utxo')) return derivations
  for (const { coin, key } of utxo) {
    if (key === null) continue
    derivations.push({ key, derive: (index) => deriveUtxoAddress(coin, key, index) })
  }
  return derivations
}

/**
 * Refuses a key that differs from the pinned one, unless the operator has accepted it, and a copy
 * of the database, unless the operator says how far the lost addresses may reach: beyond what it
 * knows of every key, since the setting is for all of them.
 */
async function admitKeys(
  options: RailsOptions,
  book: AddressBook,
  derivations: readonly Derivation[],
): Promise<void> {
  const { settings, database, clock, log } = options
  const keys = derivations.map(({ key }) => key)
  for (const key of keys) await admitKey(options, key)
  const { derivationIndexMin: indexMin } = settings
  const nextIndex = Math.max(...(await Promise.all(keys.map((key) => book.nextIndex(key)))))
  if (indexMin - nextIndex > SKIPPED_MAX) {
    throw new StartFault(
      `DERIVATION_INDEX_MIN would skip more than ${SKIPPED_MAX} addresses of every key, all of ` +
        `which would be watched. Set it to at most ${nextIndex + SKIPPED_MAX}`,
    )
  }
  // Not if a setting of earlier times reaches just as far as the copy knows.
  if (indexMin <= nextIndex && (await isCopy(database, keys))) {
    throw new StartFault(
      'This database is a copy, such as a restored backup: addresses that were shown since it was ' +
        'made are not in it, and would be shown to others. Set DERIVATION_INDEX_MIN to ' +
        `${nextIndex + 1}, plus the number of purchases that were made since, or more`,
    )
  }
  for (const derivation of derivations) await skipToIndexMin(options, book, derivation)
  const isIdentified = await admitInDatabase(database, keys, async (copy) => {
    const stopped = await stopOpenSweeps(copy, clock.now())
    if (stopped === 0) return
    log.warn(
      { transactions: stopped },
      'This database is a copy, so what its sweeps had not sent is not sent from here: it may have ' +
        'been sent since, or given up. Look at the sweeps, and make a new list',
    )
  })
  if (isIdentified) return
  log.warn(
    {},
    'The host of PostgreSQL does not tell which database this is, so a restored backup would not ' +
      'be recognised, and would show addresses again. Before you start on one, set ' +
      'DERIVATION_INDEX_MIN to the highest next_index in its table pinned_keys, plus the number of ' +
      'purchases that were made since, or more',
  )
}

async function admitKey(
  { settings, database, clock, log }: RailsOptions,
  key: ExtendedKey,
): Promise<void> {
  const { name, fingerprint } = key
  const isAccepted = settings.acceptedKeys.has(fingerprint)
  const pin = await pinKey(database, key, isAccepted, clock.now())
  if (pin.outcome === 'refused') {
    throw new StartFault(
      `${name} is another key (${fingerprint}) than this sale has given addresses of so far ` +
        `(${pin.pinnedFingerprint}). Whoever changed it would receive all payments. If that is you, ` +
        `start with ACCEPT_NEW_KEY=${fingerprint}; else put the former key back`,
    )
  }
  if (pin.outcome === 'replaced') {
    log.warn({ key: name, fingerprint }, 'A new key has replaced the pinned one')
  }
}

async function skipToIndexMin(
  { settings, log }: RailsOptions,
  book: AddressBook,
  { key, derive }: Derivation,
): Promise<void> {
  const { derivationIndexMin: indexMin } = settings
  const nextIndex = await book.nextIndex(key)
  if (indexMin === 0) return
  if (indexMin <= nextIndex) {
    log.warn(
      { key: key.name, nextIndex },
      'DERIVATION_INDEX_MIN skips nothing, since the next index is as high without it. If no earlier ' +
        'start has skipped what it was set for, stop this one, and set it higher; else take it out',
    )
    return
  }
  log.warn(
    { key: key.name, nextIndex: indexMin },
    'Addresses are skipped, as DERIVATION_INDEX_MIN requires',
  )
  await book.skipPast(key, { used: indexMin - 1, next: indexMin }, derive)
}
