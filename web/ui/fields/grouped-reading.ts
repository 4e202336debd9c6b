/** Longer ones are not amounts that anybody intends, and would leave the field no room. */
const LENGTH_MOST = 12

/** A plain decimal with its thousands separated, such as `12,500`; null if there are none. */
export function groupedReading(amount: string): string | null {
  const [whole = '', fraction] = amount.split('.')
  if (whole.length <= 3 || amount.length > LENGTH_MOST) return null
  const groups = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? groups : `${groups}.${fraction}`
}
