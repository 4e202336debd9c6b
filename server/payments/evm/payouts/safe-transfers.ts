import type { MinedReceipt, SentTransaction } from '#server/payments/evm/calls/node.ts'
import { addressAt, numberAt } from '#server/payments/evm/calls/abi.ts'

/** Coins that a contract sends within a transaction. */
export type SentCoins = { to: string; value: bigint }

/** `execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)`. */
const EXECUTE = '0x6a761202'
/** `multiSend(bytes)`. */
const MULTI_SEND = '8d80ff0a'
/** The topic of `ExecutionSuccess(bytes32,uint256)`. */
export const EXECUTED = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'

const WORD = 64
const CALL = 0n
const DELEGATE_CALL = 1n

/**
 * The contracts with which a Safe makes several transfers, either all of them or none
 * (safe-global/safe-deployments 1.37.56: 1.3.0 in both kinds of deployment, 1.4.1 and 1.5.0).
 */
const MULTI_SENDERS = new Set([
  '0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761',
  '0x998739bfdaadde7c933b942a68053933098f9eda',
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
  '0x218543288004cd07832472d464648173c77d7eb7',
  '0xa83c336b20401af773b6219ba5027174338d1836',
])

/**
 * The coins that a Safe sent in a transaction, in order, according to its instructions: none if the
 * Safe does not report success. Null if what it did cannot be read from them, or it is no Safe.
 */
export function safeTransfers(
  { to, input }: Pick<SentTransaction, 'to' | 'input'>,
  receipt: MinedReceipt,
): SentCoins[] | null {
  if (!input.startsWith(EXECUTE)) return null
  const isDone = receipt.logs.some(
    ({ address, topics }) => address === to && topics[0] === EXECUTED,
  )
  if (!isDone) return []
  try {
    const asked = readInstruction(input)
    if (asked === null) return null
    const { target, value, data, operation } = asked
    if (operation === CALL && data === '') return value > 0n ? [{ to: target, value }] : []
    const isBatch =
      operation === DELEGATE_CALL && MULTI_SENDERS.has(target) && data.startsWith(MULTI_SEND)
    return isBatch ? packedTransfers(bytesAt(`0x${data.slice(MULTI_SEND.length)}`, 0)) : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * What a transaction asks a Safe for, as text, without the signatures and who sends it; null if it
 * asks none.
 */
export function instructionOf({ input }: Pick<SentTransaction, 'input'>): string | null {
  try {
    const asked = readInstruction(input)
    return asked && [asked.target, asked.value, asked.data, asked.operation].join(' ')
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Null for another call; throws a `RangeError` for one that ends too early. */
function readInstruction(input: string) {
  if (!input.startsWith(EXECUTE)) return null
  const given = `0x${input.slice(EXECUTE.length)}`
  return {
    target: addressAt(given, 0),
    value: numberAt(given, 1),
    data: bytesAt(given, 2),
    operation: numberAt(given, 3),
  }
}

/** The bytes that a word at a place points to, as hexadecimal digits. */
function bytesAt(words: string, place: number): string {
  const from = Number(numberAt(words, place)) / 32
  const length = Number(numberAt(words, from)) * 2
  const begin = '0x'.length + (from + 1) * WORD
  if (!Number.isSafeInteger(begin) || begin + length > words.length) {
    throw new RangeError('The bytes of a call end before their length.')
  }
  return words.slice(begin, begin + length)
}

/** Of each: operation (1 byte), address (20), value (32), length of the data (32), and the data. */
function packedTransfers(digits: string): SentCoins[] {
  const sent: SentCoins[] = []
  for (let at = 0; at < digits.length;) {
    const to = `0x${digits.slice(at + 2, at + 42)}`.toLowerCase()
    const numbers = `0x${digits.slice(at + 42, at + 42 + 2 * WORD)}`
    const value = numberAt(numbers, 0)
    if (value > 0n && digits.slice(at, at + 2) === '00') sent.push({ to, value })
    const length = numberAt(numbers, 1)
    if (length > BigInt(digits.length)) throw new RangeError('A call is longer than its batch.')
    at += 42 + 2 * WORD + Number(length) * 2
  }
  return sent
}
