/** From this many tokens on, two decimals are enough; below, all five are shown. */
const MANY_TOKENS = 1000n
const DECIMALS_OF_MANY = 2
const DECIMALS_OF_FEW = 5

/** How many digits are shown of an amount so small that the usual decimals would show none. */
const DIGITS_OF_LEAST = 2

/**
 * How many decimals are shown of token amounts that appear together: as many as the first needs,
 * and more if it or another would read as nothing.
 */
export function shownDecimals(amounts: readonly bigint[], tokenDecimals: number): number {
  const [first = 0n] = amounts
  const isMany = first >= MANY_TOKENS * 10n ** BigInt(tokenDecimals)
  const usual = Math.min(tokenDecimals, isMany ? DECIMALS_OF_MANY : DECIMALS_OF_FEW)
  const digits = amounts.filter((amount) => amount > 0n).map((amount) => String(amount).length)
  const firstDigitAt = tokenDecimals - Math.min(...digits) + 1
  return firstDigitAt <= usual ? usual : Math.min(tokenDecimals, firstDigitAt + DIGITS_OF_LEAST - 1)
}

/**
 * Cuts parts to whole multiples of `unit` so that they add up to their sum cut in the same way:
 * what is lost goes to the parts that lost most. Otherwise lines that a reader adds up would come
 * out a little below the total.
 */
export function partsThatAddUp(parts: readonly bigint[], unit: bigint): bigint[] {
  const sum = parts.reduce((total, part) => total + part, 0n)
  const lost = parts.map((part) => part % unit)
  const kept = parts.map((part, index) => part - (lost[index] ?? 0n))
  const missing = Number(
    (sum - (sum % unit) - kept.reduce((total, part) => total + part, 0n)) / unit,
  )
  const mostLost = lost
    .map((rest, index) => ({ rest, index }))
    .toSorted((one, other) => (other.rest > one.rest ? 1 : -1))
    .slice(0, missing)
  const raised = new Set(mostLost.map(({ index }) => index))
  return kept.map((part, index) => (raised.has(index) ? part + unit : part))
}
