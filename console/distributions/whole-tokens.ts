import { formatCoins } from '#web/lib/format/format.ts'

/** Whole tokens, if there is at least one: the decimals are in the title. */
export function wholeTokens(exact: string): string {
  const [whole = '0'] = exact.split('.')
  return formatCoins(whole === '0' ? exact : whole)
}
