const DIGITS_MAX = 15

/**
 * The JSON number that stands for an exact decimal: its first 15 digits after leading zeros, digit
 * by digit, so that it shares nothing with how the product computes it.
 */
export function onTheWire(exact: string): number {
  let digits = 0
  const cut = [...exact].map((character) => {
    if (character === '.') return character
    if (digits > 0 || character !== '0') digits += 1
    return digits > DIGITS_MAX ? '0' : character
  })
  return Number(cut.join(''))
}
