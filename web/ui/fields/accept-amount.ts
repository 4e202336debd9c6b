/** A sign or an exponent: dropping it would leave a different number from the one intended. */
const OTHER_NOTATION = /^\s*[-−–]\s*[\d.,]|\d\s*e\s*[-+]?\s*\d/i
/** `1.000.000`, in which the points can only be separators. */
const GROUPED_BY_POINTS = /^\D*\d{1,3}(\.\d{3}){2,}\D*$/
/** The same, or `1,000`, or as in India `10,00,000`. */
const TYPED_GROUPS = /^[1-9]\d{0,2}((,\d\d)*(,\d{3})+|(\.\d{3}){2,})$/

/**
 * What an amount input keeps of the text typed or pasted into it: digits and one decimal point,
 * with at most `decimals` digits behind it (specification section 5). A lone comma that cannot be a
 * group separator counts as the decimal point, as phones of many countries offer no other key; of
 * points and commas together the last is the decimal point.
 *
 * Null for what is no plain amount at all, such as `-5`, `1e308` or a word: the input then keeps
 * what it held: any digits taken from such a text would be somebody else's amount.
 */
export function acceptAmount(text: string, decimals: number): string | null {
  if (text.trim() !== '' && !/[\d.,]/.test(text)) return null
  if (OTHER_NOTATION.test(text)) return null
  const kept = withoutLeadingZeros(withDecimalPoint(text).replace(/[^\d.]/g, ''))
  const pointAt = kept.indexOf('.')
  if (pointAt === -1) return kept
  const whole = kept.slice(0, pointAt)
  if (decimals === 0) return whole
  const fraction = kept.slice(pointAt + 1).replaceAll('.', '')
  return `${whole}.${fraction.slice(0, decimals)}`
}

/** `007` is 7 and `.5` is 0.5; the beginnings of a number, `0` and `0.`, stay. */
function withoutLeadingZeros(digits: string): string {
  const short = digits.replace(/^0+(?=\d)/, '')
  return short.startsWith('.') ? `0${short}` : short
}

function withDecimalPoint(text: string): string {
  if (isDecimalComma(text)) return text.replaceAll('.', '').replace(',', '.')
  return GROUPED_BY_POINTS.test(text) ? text.replaceAll('.', '') : text
}

/** Whether the only comma of a text is the decimal point. */
function isDecimalComma(text: string): boolean {
  const [before = '', after, ...more] = text.split(',')
  if (after === undefined || more.length > 0) return false
  // No group begins with a zero.
  if (/^\D*0?$/.test(before)) return true
  if (text.includes('.')) return text.lastIndexOf('.') < text.indexOf(',')
  return after.replace(/\D/g, '').length !== 3
}

/** What was typed into a field, key by key, and what the field made of it. */
export interface Typing {
  keys: string
  accepted: string
}

/**
 * What an amount input keeps when `before` becomes `text`. The first separator of `1,000,000`
 * counts as the decimal point until three digits have followed it, and is gone from the input by
 * the time of the second: so what the keys were is kept along. A single comma separates thousands
 * only where commas do so, which is not in German; a single point never does.
 */
export function typeAmount(
  before: Typing,
  text: string,
  decimals: number,
  hasGroupCommas: boolean,
): Typing {
  const accepted = acceptAmount(text, decimals)
  if (accepted === null) return before
  const goesOn = text.startsWith(before.accepted)
  const typed = goesOn ? before.keys + text.slice(before.accepted.length) : text
  const keys = typed.replace(/^0+(?=\d)|[^\d.,]/g, '')
  const isGrouped = TYPED_GROUPS.test(keys) && (hasGroupCommas || !keys.includes(','))
  return { keys, accepted: isGrouped ? keys.replace(/\D/g, '') : accepted }
}

/** An amount from a field as a plain decimal, without a trailing point. */
export function plainAmount(text: string): string {
  return text.replace(/\.$/, '')
}
