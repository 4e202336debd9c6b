/** JSON as it was written: numbers remain text, so no amount ever passes through a binary float. */
export type ExactJson = null | boolean | string | ExactNumber | readonly ExactJson[] | ExactRecord

export type ExactRecord = { readonly [key: string]: ExactJson }

export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Null for what is not JSON. */
export function parseExactJson(text: string): { value: ExactJson } | null {
  try {
    const value = JSON.parse(text, (_key, parsed: unknown, context?: { source?: string }) =>
      typeof parsed === 'number' ? new ExactNumber(context?.source ?? String(parsed)) : parsed,
    )
    return { value: value as ExactJson }
  } catch {
    return null
  }
}

export function isExactRecord(value: ExactJson | undefined): value is ExactRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  )
}

/** A number, or a text that contains one, as text; null for everything else. */
export function exactText(value: ExactJson | undefined): string | null {
  if (value instanceof ExactNumber) return value.text
  return typeof value === 'string' ? value : null
}

const EXPONENT_MAX = 100
const WRITTEN_DECIMAL = /^(\d{1,60})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Reads an amount as other programs write it, such as `0.5` or `1e-8`, in base units; decimals
 * beyond the unit's are cut off. Null for something negative, too long, or not a number.
 */
export function readWrittenDecimal(text: string | null, decimals: number): bigint | null {
  const match = WRITTEN_DECIMAL.exec(text ?? '')
  if (match === null) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  if (Math.abs(Number(exponent)) > EXPONENT_MAX) return null
  const digits = BigInt(whole + fraction)
  const shift = Number(exponent) - fraction.length + decimals
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
}

/**
 * How deeply objects and lists are nested in a JSON text, and at most how many values and keys it
 * has, in one pass without parsing it, so that a text beyond the limits is never parsed.
 */
export function jsonExtent(text: string): { depth: number; parts: number } {
  let depth = 0
  let deepest = 0
  let parts = 1
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (isInString) {
      if (character === BACKSLASH) at += 1
      else if (character === QUOTE) isInString = false
    } else if (character === QUOTE) {
      isInString = true
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      parts += 1
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1
    } else if (character === COMMA || character === COLON) {
      parts += 1
    }
  }
  return { depth: deepest, parts }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
