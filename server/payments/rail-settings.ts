import type { Sale } from '#domain/sale.ts'
import { type BtcpaySettings, listMissingForBtcpay, readBtcpaySettings } from './btcpay/settings.ts'
import { type EvmSettings, listMissingForEvm, readEvmSettings } from './evm/settings.ts'
import {
  listMissingForNowpayments,
  type NowpaymentsSettings,
  readNowpaymentsSettings,
} from './nowpayments/settings.ts'
import { listMissingForUtxo, readUtxoSettings, type UtxoSettings } from './utxo/settings.ts'
import { Fault, type Variables } from './variables.ts'

/** What the environment says of real rails. */
export type RailSettings = Readonly<{
  /** Fingerprints of keys that may take the place of the pinned ones. */
  acceptedKeys: ReadonlySet<string>
  /** No address below this index is given out any more, of any key. */
  derivationIndexMin: number
  evm: EvmSettings
  utxo: UtxoSettings
  nowpayments: NowpaymentsSettings
  btcpay: BtcpaySettings
}>

const INDEX_MAX = 2 ** 31 - 1

export function readRailSettings(variables: Variables): RailSettings {
  return Object.freeze({
    acceptedKeys: variables.read('ACCEPT_NEW_XPUB', new Set<string>(), parseFingerprints),
    derivationIndexMin: variables.read('DERIVATION_INDEX_MIN', 0, parseIndex),
    evm: readEvmSettings(variables),
    utxo: readUtxoSettings(variables),
    nowpayments: readNowpaymentsSettings(variables),
    btcpay: readBtcpaySettings(variables),
  })
}

/** What a sale needs of its rails that is not set, each a sentence that names the variable. */
export function listMissingForRails(settings: RailSettings, sale: Sale): string[] {
  return [
    ...listMissingForEvm(settings.evm, sale),
    ...listMissingForUtxo(settings.utxo, sale),
    ...listMissingForNowpayments(settings.nowpayments, sale),
    ...listMissingForBtcpay(settings.btcpay, sale),
  ]
}

function parseFingerprints(text: string): ReadonlySet<string> | Fault {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  return words.every((word) => /^[0-9a-f]{16}$/.test(word))
    ? new Set(words)
    : new Fault('must be fingerprints of 16 digits and letters, as the server prints them')
}

function parseIndex(text: string): number | Fault {
  const index = Number(text)
  const isRight = /^\d{1,10}$/.test(text) && index <= INDEX_MAX
  return isRight ? index : new Fault(`must be a whole number from 0 to ${INDEX_MAX}`)
}
