/** From this many tokens on, hundredths are enough; below, all five decimals are shown. */
const MANY_TOKENS = 1000n
const DECIMALS_OF_MANY = 2
const DECIMALS_OF_FEW = 5

/** Digits of what is so little that the usual decimals would show nothing of it. */
const DIGITS_OF_LEAST = 2

/**
 * How many decimals are shown of token amounts that stand together: those of the first, and more
 * where one of the others, or itself, would read as nothing.
 */
export function shownDecimals(amounts: readonly bigint[], tokenDecimals: number): number {
  const [first = 0n] = amounts
  const isMany = first >= MANY_TOKENS * 10n ** BigInt(tokenDecimals)
  const usual = Math.min(tokenDecimals, isMany ? DECIMALS_OF_MANY : DECIMALS_OF_FEW)
  const digits = amounts.filter((amount) => amount > 0n).map((amount) => String(amount).length)
  const firstDigitAt = tokenDecimals - Math.min(...digits) + 1
  const isSeen = digits.length === 0 || firstDigitAt <= usual
  return isSeen ? usual : Math.min(tokenDecimals, firstDigitAt + DIGITS_OF_LEAST - 1)
}

/**
 * Parts cut to whole multiples of `unit` so that they add up to their sum cut the same way: what is
 * missing after the cut goes to the parts that lost most. Without it, lines that a reader adds up
 * would come out a little below the total.
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
