/*
 * The few parts of the contract ABI that are used here. A library for it takes the server some
 * tenths of a second to load.
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

/** The transfer of a token that a log reports; null for others, as of an NFT. */
export function transferIn({ topics, data }: { topics: readonly string[]; data: string }) {
  const [event, from = '', to = ''] = topics
  if (event !== TRANSFER || topics.length !== 3 || !hasWords(data, 1)) return null
  return { from: addressIn(from), to: addressIn(to), amount: numberAt(data, 0) }
}

/** An address as a topic of a log. */
export function topicOf(address: string): string {
  return `0x${wordOf(address)}`
}

/** The call of `transfer(address,uint256)`. */
export function transferCall(to: string, amount: bigint): string {
  return `0xa9059cbb${wordOf(to.toLowerCase())}${wordOf(`0x${amount.toString(16)}`)}`
}

export function addressIn(word: string): string {
  return `0x${word.slice(-ADDRESS_DIGITS)}`
}

/** The word at a place of an answer, in digits. Throws if the answer has no such word. */
export function wordAt(bytes: string, place: number): string {
  const from = '0x'.length + place * WORD_DIGITS
  const word = bytes.slice(from, from + WORD_DIGITS)
  if (word.length < WORD_DIGITS) throw new RangeError(`An answer has no word at ${place}`)
  return word
}

export function numberAt(bytes: string, place: number): bigint {
  return BigInt(`0x${wordAt(bytes, place)}`)
}

export function addressAt(bytes: string, place: number): string {
  return addressIn(wordAt(bytes, place)).toLowerCase()
}
