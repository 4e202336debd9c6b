import { chainFamily } from './chain.ts'
import type { PaymentToken, RailName } from '#domain/sale/sale.ts'

type HashForm = {
  pattern: RegExp
  /** The message for any other text. */
  expected: string
}

const EVM: HashForm = {
  pattern: /^0x[0-9a-f]{64}$/,
  expected: 'Must be the hash of a transaction: 0x and 64 hexadecimal digits',
}
const BITCOIN: HashForm = {
  pattern: /^[0-9a-f]{64}$/,
  expected: 'Must be the hash of a transaction: 64 hexadecimal digits',
}
/** On each chain that writes hashes so, capitals mean the same. */
const HEXADECIMAL = /^(?:0x)?[0-9a-f]{64}$/i
/** A simulated payment has no transaction of its own, and other chains' formats are not known. */
const ANY: HashForm = {
  pattern: /^[\w.:+/=-]{8,128}$/,
  expected: 'Must be the hash of a transaction: 8 to 128 characters without spaces',
}

/**
 * The hash of a transaction as its chain spells it, so that two spellings become the same text.
 * @param coin.rail The rail that took the payment; a sandbox accepts any text.
 * @param coin.paymentToken Null for a coin of which no chain is known.
 */
export function readTransactionHash(
  text: string,
  {
    rail,
    paymentToken,
  }: { rail: RailName; paymentToken: Pick<PaymentToken, 'chain' | 'chainId'> | null },
): { hash: string } | { fault: string } {
  const family = rail === 'sandbox' || paymentToken === null ? null : chainFamily(paymentToken)
  const form = family === 'evm' ? EVM : family === 'bitcoin' ? BITCOIN : ANY
  const typed = text.trim()
  const isHexadecimal = family !== null || (paymentToken === null && HEXADECIMAL.test(typed))
  const hash = isHexadecimal ? typed.toLowerCase() : typed
  return form.pattern.test(hash) ? { hash } : { fault: form.expected }
}
