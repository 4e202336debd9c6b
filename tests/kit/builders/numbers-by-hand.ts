/**
 * Plain decimals read, written, rounded and grouped digit by digit, as on paper: a second opinion
 * on the product's own functions, which shares no code with them.
 */

const DIGITS = '0123456789'

/**
 * Base units by counting digits; null for a text that is not a plain decimal with at most that
 * many.
 */
export function readByHand(text: string, decimals: number): bigint | null {
  let units = 0n
  let before = 0
  let behind = -1
  for (const character of text) {
    const digit = DIGITS.indexOf(character)
    if (digit >= 0) {
      units = units * 10n + BigInt(digit)
      if (behind < 0) before += 1
      else behind += 1
    } else if (character === '.' && behind < 0) behind = 0
    else return null
  }
  if (before === 0 || behind === 0 || behind > decimals) return null
  for (let place = Math.max(behind, 0); place < decimals; place += 1) units *= 10n
  return units
}

/** The shortest plain decimal for base units, by long division. */
export function writeByHand(baseUnits: bigint, decimals: number): string {
  const one = 10n ** BigInt(decimals)
  let rest = baseUnits % one
  let fraction = ''
  while (rest > 0n) {
    rest *= 10n
    fraction += DIGITS.charAt(Number(rest / one))
    rest %= one
  }
  return `${baseUnits / one}${fraction === '' ? '' : `.${fraction}`}`
}

/** The specification's reading of numbers: thousands separators, up to 5 decimals, half up. */
export function numberByHand(text: string): string {
  return grouped(isTiny(text) ? twoDigits(text) : rounded(text, 0, 5))
}

/** The same with K, M, B and T from a thousand on. */
export function compactByHand(text: string): string {
  const whole = text.split('.')[0] ?? ''
  if (whole.length < 4) return numberByHand(text)
  const units = ['', 'K', 'M', 'B', 'T']
  let step = Math.min(Math.floor((whole.length - 1) / 3), 4)
  // A value rounded up to a thousand of a unit is one of the next.
  if (step < 4 && rounded(text, step * 3, 5) === '1000') step += 1
  return grouped(rounded(text, step * 3, 5)) + (units[step] ?? '')
}

/** Dollars: whole ones without cents, others to the cent, and less than a cent as a number. */
export function usdByHand(text: string): string {
  if (!text.includes('.') || text.startsWith('0.00')) return `$${numberByHand(text)}`
  return `$${grouped(withDecimals(rounded(text, 0, 2), 2))}`
}

/**
 * Tokens: cut to two decimals from a thousand on and to five below, with one decimal written as
 * two; of smaller amounts the first two digits, also cut.
 */
export function tokensByHand(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  const kept = fraction.slice(0, whole.length > 3 ? 2 : 5).replace(/0+$/, '')
  if (whole === '0' && kept === '') {
    const zeros = /^0*/.exec(fraction)?.[0].length ?? 0
    const digits = fraction.slice(0, zeros + 2).replace(/0+$/, '')
    return digits === '' ? '0' : `0.${digits}`
  }
  const shown = kept.length === 1 ? `${kept}0` : kept
  return grouped(whole + (shown === '' ? '' : `.${shown}`))
}

/** Commas before every third digit from the point. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  let result = ''
  for (const [index, digit] of [...whole].entries()) {
    const left = whole.length - index
    result += (index > 0 && left % 3 === 0 ? ',' : '') + digit
  }
  return fraction === undefined ? result : `${result}.${fraction}`
}

/** The value in units of ten to the power of `unit`, half up at the last of its decimals. */
function rounded(text: string, unit: number, decimals: number): string {
  const places = (text.split('.')[1] ?? '').length
  const exact = readByHand(text, places) ?? 0n
  const step = 10n ** BigInt(places + unit)
  const scaled = exact * 10n ** BigInt(decimals)
  const cut = scaled / step
  const isUp = (scaled % step) * 2n >= step
  return writeByHand(isUp ? cut + 1n : cut, decimals)
}

/** Below the fifth decimal, the first two digits that are not zero. */
function twoDigits(text: string): string {
  const zeros = /^0*/.exec(text.split('.')[1] ?? '')?.[0].length ?? 0
  return rounded(text, 0, zeros + 2)
}

function isTiny(text: string): boolean {
  return /^0\.00000\d*$/.test(text) && /[1-9]/.test(text)
}

function withDecimals(text: string, least: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(least, '0')}`
}
