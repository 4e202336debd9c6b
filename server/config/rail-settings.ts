import type { Sale } from '#domain/sale/sale.ts'
import {
  type BtcpaySettings,
  listMissingForBtcpay,
  readBtcpaySettings,
} from '#server/payments/btcpay/settings.ts'
import {
  EVM_PATH,
  type EvmSettings,
  listMissingForEvm,
  readEvmSettings,
} from '#server/payments/evm/settings.ts'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'
import {
  listMissingForNowpayments,
  type NowpaymentsSettings,
  readNowpaymentsSettings,
} from '#server/payments/nowpayments/settings.ts'
import {
  listMissingForUtxo,
  readUtxoSettings,
  type UtxoSettings,
} from '#server/payments/utxo/settings.ts'
import { Fault, parseWhole, type Variables } from '#server/payments/variables.ts'

export type RailSettings = Readonly<{
  /** Fingerprints of keys that may replace the pinned ones. */
  acceptedKeys: ReadonlySet<string>
  /** No address below this index is given out any more, for any key. */
  derivationIndexMin: number
  evm: EvmSettings
  utxo: UtxoSettings
  nowpayments: NowpaymentsSettings
  btcpay: BtcpaySettings
}>

const INDEX_MAX = 2 ** 31 - 1

export function readRailSettings(variables: Variables): RailSettings {
  const evm = readEvmSettings(variables)
  const utxo = readUtxoSettings(variables)
  reportSharedKeys(variables, [
    { key: evm.key, path: EVM_PATH, symbol: 'the coins of EVM chains' },
    ...utxo.map(({ key, coin: { path, symbol } }) => ({ key, path, symbol })),
  ])
  return Object.freeze({
    acceptedKeys: variables.read('ACCEPT_NEW_KEY', new Set<string>(), parseFingerprints),
    derivationIndexMin: variables.read('DERIVATION_INDEX_MIN', 0, parseWhole(0, INDEX_MAX)),
    evm,
    utxo,
    nowpayments: readNowpaymentsSettings(variables),
    btcpay: readBtcpaySettings(variables),
  })
}

/** The settings that the sale’s rails need and that are not set, each as a sentence. */
export function listMissingForRails(settings: RailSettings, sale: Sale): string[] {
  return [
    ...listMissingForEvm(settings.evm, sale),
    ...listMissingForUtxo(settings.utxo, sale),
    ...listMissingForNowpayments(settings.nowpayments, sale),
    ...listMissingForBtcpay(settings.btcpay, sale),
  ]
}

type Account = { key: ExtendedKey | null; path: string; symbol: string }

/**
 * Each coin needs the key of its own account: a wallet would not look for its payments elsewhere.
 */
function reportSharedKeys(variables: Variables, accounts: readonly Account[]): void {
  const names = new Map<string, Account>()
  for (const { key, path, symbol } of accounts) {
    if (key === null) continue
    const first = names.get(key.fingerprint)
    // Wallets keep the coins of all test networks in one account (SLIP-44).
    if (first !== undefined && first.path !== path) {
      variables.report(
        `${key.name} is the same key as ${first.key?.name}: it must be the key of the account ` +
          `${path}, where the wallet looks for ${symbol}`,
      )
    }
    names.set(key.fingerprint, first ?? { key, path, symbol })
  }
}

function parseFingerprints(text: string): ReadonlySet<string> | Fault {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  return words.every((word) => /^[0-9a-f]{16}$/.test(word))
    ? new Set(words)
    : new Fault('must be fingerprints of 16 digits and letters, as the server prints them')
}
