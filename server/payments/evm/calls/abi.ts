/*
 * The few words of the contracts' binary interface that are spoken here. A library for them takes
 * the server some tenths of a second to load.
 */

/** The topic of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
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

/** Each word of an answer as a number; the answer has to be of whole words. */
export function numbersIn(bytes: string): bigint[] {
  const words = bytes.slice(2).match(new RegExp(`.{1,${WORD_DIGITS}}`, 'g')) ?? []
  return words.map((word) => BigInt(`0x${word}`))
}
