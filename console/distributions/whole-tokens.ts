import { formatCoins } from '#web/lib/format/format.ts'

/** Whole tokens, where there is one at least: what follows the point stands in the title. */
export function wholeTokens(exact: string): string {
  const [whole = '0'] = exact.split('.')
  return formatCoins(whole === '0' ? exact : whole)
}
