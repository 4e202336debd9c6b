/**
 * How people refer to a purchase, such as `3F9A-12BC`: the first eight digits of its id, which are
 * random. It identifies a purchase among one buyer's, and is not a key.
 */
export function purchaseNumber(purchaseId: string): string {
  const digits = purchaseId.replaceAll('-', '').slice(0, 8).toUpperCase()
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}

const NUMBER = /^([0-9a-f]{4})-?([0-9a-f]{4})$/i

/**
 * The lowest and the highest id of the purchases with a number, in upper or lower case; null if the
 * text is not such a number.
 */
export function idsOfNumber(text: string): { from: string; to: string } | null {
  const [, first, second] = NUMBER.exec(text) ?? []
  if (first === undefined || second === undefined) return null
  const digits = (first + second).toLowerCase()
  return {
    from: `${digits}-0000-0000-0000-000000000000`,
    to: `${digits}-ffff-ffff-ffff-ffffffffffff`,
  }
}
