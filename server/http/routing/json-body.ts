import { jsonExtent } from '#domain/exact-json.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { findDuplicateKey } from './duplicate-keys.ts'

const DEPTH_MAX = 20
/** Far more keys and values than any call takes: each costs more than its bytes. */
const PARTS_MAX = 1_000
const NUMBER_LENGTH_MAX = 64
const SIGNIFICANT_DIGITS_MAX = 15

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a request's JSON body; undefined if it is empty. Refuses with `MalformedBody` a text that
 * is not JSON, nests too deeply, holds too much, or has the key `__proto__`, and with
 * `InvalidInput` a duplicate key, since two readers could take different values. A number that a
 * double cannot represent as written, or that was not written as a plain decimal, becomes NaN: the
 * schema then refuses it at its path.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const { text, value } = readStrictly(bytes)
  const path = findDuplicateKey(text)
  if (path !== null) throw wrongField(path, 'Must be given once')
  return value
}

function readStrictly(bytes: Buffer): { text: string; value: unknown } {
  try {
    const text = utf8.decode(bytes)
    const { depth, parts } = jsonExtent(text)
    if (depth > DEPTH_MAX || parts > PARTS_MAX) throw new Refusal('MalformedBody')
    return { text, value: JSON.parse(text, reviveStrictly) }
  } catch {
    throw new Refusal('MalformedBody')
  }
}

function reviveStrictly(key: string, value: unknown, context?: { source?: string }): unknown {
  if (key === '__proto__') throw new Refusal('MalformedBody')
  if (typeof value !== 'number' || context?.source === undefined) return value
  return isWrittenExactly(context.source, value) ? value : Number.NaN
}

/** `1.50` and `-0.1` are; `1e3`, `1E400` and `0.1234567890123456789` are not. */
function isWrittenExactly(source: string, value: number): boolean {
  if (source.length > NUMBER_LENGTH_MAX) return false
  // Programs write very small and very large numbers with an exponent; the schema decides which
  // field may hold one.
  if (source === String(value)) return true
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(source)
  if (match === null) return false
  const [, whole = '', fraction = ''] = match
  const digits = whole + fraction
  let from = 0
  let to = digits.length
  while (digits[from] === '0') from += 1
  while (to > whole.length && digits[to - 1] === '0') to -= 1
  return to - from <= SIGNIFICANT_DIGITS_MAX
}
