import {
  type ExactJson,
  type ExactRecord,
  exactText,
  isExactRecord,
  readWrittenDecimal,
} from '#domain/exact-json.ts'
import { DECIMALS } from './coins.ts'

/** What payments need to know of a transaction. */
export type Transaction = {
  id: string
  /** True for the one that creates a block's new coins. */
  isCoinbase: boolean
  /** The outputs of other transactions that it spends, as `hash:index`. */
  spends: readonly string[]
  outputs: readonly Output[]
}

export type Output = {
  /** Its place in the transaction. */
  index: number
  /** What it pays to, in hexadecimal digits. */
  script: string
  /** In base units. */
  amount: bigint
}

/** Parses a decoded transaction; null if it is not one. */
export function readTransaction(json: ExactJson | undefined): Transaction | null {
  if (!isExactRecord(json)) return null
  const { txid: id, vin, vout } = json
  if (typeof id !== 'string' || !/^[0-9a-f]{64}$/.test(id)) return null
  if (!Array.isArray(vin) || !Array.isArray(vout)) return null
  const outputs = vout.filter(isVisible).map(readOutput)
  const whole = outputs.filter((output) => output !== null)
  if (whole.length !== outputs.length) return null
  const isCoinbase = vin.some((input: ExactJson) => isExactRecord(input) && 'coinbase' in input)
  return { id, isCoinbase, spends: vin.flatMap(spentBy), outputs: whole }
}

/** None for new coins, and for Litecoin's inputs from its extension blocks (MWEB). */
function spentBy(json: ExactJson): string[] {
  if (!isExactRecord(json)) return []
  const { txid: id } = json
  const index = readWrittenDecimal(exactText(json['vout']), 0)
  return typeof id === 'string' && index !== null ? [`${id}:${index}`] : []
}

/** Litecoin lists outputs of its extension blocks (MWEB) among others, with nothing but an id. */
function isVisible(json: ExactJson): boolean {
  return !isExactRecord(json) || json['ismweb'] !== true
}

function readOutput(json: ExactJson): Output | null {
  if (!isExactRecord(json)) return null
  const index = readWrittenDecimal(exactText(json['n']), 0)
  const amount = readWrittenDecimal(exactText(json['value']), DECIMALS)
  const script = scriptIn(json)
  if (index === null || amount === null || script === null) return null
  return { index: Number(index), script, amount }
}

function scriptIn({ scriptPubKey }: ExactRecord): string | null {
  const hex = isExactRecord(scriptPubKey) ? scriptPubKey['hex'] : null
  return typeof hex === 'string' && /^([0-9a-f]{2})*$/.test(hex) ? hex : null
}
