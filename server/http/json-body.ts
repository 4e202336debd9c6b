import { Refusal } from '#domain/refusal.ts'
import { listDuplicateKeys } from './duplicate-keys.ts'

const DEPTH_MAX = 20
const SIGNIFICANT_DIGITS_MAX = 15

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a request's JSON body; undefined where it is empty. Refuses with `MalformedBody` what is
 * not JSON, nests too deeply, or names the key `__proto__`, and with `InvalidInput` a key that
 * stands twice, since two readers could take two different values for its own. A number that a
 * double cannot hold as it was written, or that was not written as a plain decimal, becomes NaN:
 * the schema refuses it at its path.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const { text, value } = readStrictly(bytes)
  const errors = listDuplicateKeys(text).map((path) => ({ path, message: 'Must be given once' }))
  if (errors.length > 0) throw new Refusal('InvalidInput', { errors })
  return value
}

function readStrictly(bytes: Buffer): { text: string; value: unknown } {
  try {
    const text = utf8.decode(bytes)
    if (depthOf(text) > DEPTH_MAX) throw new Refusal('MalformedBody')
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
  // Programs write very small and very large numbers with an exponent; which field may hold one is
  // for its schema to say.
  if (source === String(value)) return true
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(source)
  if (match === null) return false
  const [, whole = '', fraction = ''] = match
  const digits = `${whole}${fraction.replace(/0+$/, '')}`.replace(/^0+/, '')
  return digits.length <= SIGNIFICANT_DIGITS_MAX
}

/** How deeply objects and lists nest, found without recursion. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (isInString) {
      if (character === BACKSLASH) at += 1
      else if (character === QUOTE) isInString = false
    } else if (character === QUOTE) {
      isInString = true
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1
    }
  }
  return deepest
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
