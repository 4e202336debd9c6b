/*
 * The few parts of the contract ABI that are used here. A library for it takes the server some
 * tenths of a second to load.
 */

/** The topic of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** The beginning of a call of `transfer(address,uint256)`. */
export const TRANSFER_CALL = '0xa9059cbb'
/** The call of `decimals()`. */
export const DECIMALS = '0x313ce567'

const WORD_DIGITS = 64
const ADDRESS_DIGITS = 40

/** Whether an answer is that many words, and no more. */
export function hasWords(bytes: string, count: number): boolean {
  return bytes.length === '0x'.length + count * WORD_DIGITS
}

/** An address as a word of 32 bytes, in digits without `0x`. */
export function wordOf(address: string): string {
  return address.slice(2).padStart(WORD_DIGITS, '0')
}

export function addressIn(word: string): string {
  return `0x${word.slice(-ADDRESS_DIGITS)}`
}

/** The word at a place of an answer, as a number. Throws if the answer has no such word. */
export function numberAt(bytes: string, place: number): bigint {
  const from = '0x'.length + place * WORD_DIGITS
  const word = bytes.slice(from, from + WORD_DIGITS)
  if (word.length < WORD_DIGITS) throw new RangeError(`An answer has no word at ${place}`)
  return BigInt(`0x${word}`)
}
