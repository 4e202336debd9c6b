/**
 * What an amount input keeps of the text typed or pasted into it: digits and one decimal point,
 * with at most `decimals` digits behind it (specification section 5). A lone comma that cannot be a
 * group separator counts as the decimal point, as phones of many countries offer no other key.
 */
export function acceptAmount(text: string, decimals: number): string {
  const pointed = isDecimalComma(text) ? text.replace(',', '.') : text
  const kept = withoutLeadingZeros(pointed.replace(/[^\d.]/g, ''))
  const pointAt = kept.indexOf('.')
  if (pointAt === -1) return kept
  const whole = kept.slice(0, pointAt)
  if (decimals === 0) return whole
  const fraction = kept.slice(pointAt + 1).replaceAll('.', '')
  return `${whole}.${fraction.slice(0, decimals)}`
}

/** `007` is 7 and `.5` is 0.5; what starts a number, `0` and `0.`, stays. */
function withoutLeadingZeros(digits: string): string {
  const short = digits.replace(/^0+(?=\d)/, '')
  return short.startsWith('.') ? `0${short}` : short
}

function isDecimalComma(text: string): boolean {
  const parts = text.split(',')
  return parts.length === 2 && !text.includes('.') && parts[1]?.replace(/\D/g, '').length !== 3
}

/** An amount from a field as a plain decimal: without the point that somebody has just typed. */
export function plainAmount(text: string): string {
  return text.replace(/\.$/, '')
}
