/** Longer ones are not amounts that anybody intends, and would leave the field no room. */
const LENGTH_MOST = 12

/** A point that separates thousands where others write. */
const LIKE_THOUSANDS = /^[1-9]\d{0,2}\.\d\d0$/

/**
 * A plain decimal with its thousands separated, such as `12,500`, and one that only looks as if it
 * had thousands as the small number that it is: `50.000` is 50. Otherwise null.
 */
export function groupedReading(amount: string): string | null {
  if (LIKE_THOUSANDS.test(amount)) return String(Number(amount))
  const [whole = '', fraction] = amount.split('.')
  if (whole.length <= 3 || amount.length > LENGTH_MOST) return null
  const groups = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? groups : `${groups}.${fraction}`
}
