/** Some 70 minutes: 4.2 million purchases, if a thousand are made in a second. */
const SLOT_MS = 2 ** 22
const SLOTS = 2 ** 8

/**
 * The id of a purchase that is made now, from a random UUID: a UUID of version 8 (RFC 9562), whose
 * first eight bits name one of 256 slots of time, which come again after twelve days. The rest
 * stays random. So purchases of the same hour share the pages of indexes: with ids that are all
 * random, each purchase of a grown sale changes pages of its own, which are then written whole.
 */
export function purchaseIdAt(random: string, now: Date): string {
  const slot = Math.floor(now.getTime() / SLOT_MS) % SLOTS
  return `${slot.toString(16).padStart(2, '0')}${random.slice(2, 14)}8${random.slice(15)}`
}

/**
 * How people refer to a purchase, such as `3F9A-12BC`: the first eight digits of its id, of which
 * six are random. It identifies a purchase among one buyer's, and is not a key.
 */
export function purchaseNumber(purchaseId: string): string {
  const digits = purchaseId.replaceAll('-', '').slice(0, 8).toUpperCase()
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}

/** The numbers of the first of `count` purchases, such as `3F9A-12BC, 41D0-77E2 and 3 more`. */
export function purchaseNumbers(ids: readonly string[], count: number): string {
  const rest = count - ids.length
  const numbers = ids.map((id) => purchaseNumber(id)).join(', ')
  return rest > 0 ? `${numbers} and ${rest} more` : numbers
}

/** As people write it in a message: `#3f9a 12bc.` */
const NUMBER = /^#?([0-9a-f]{4})[- –]?([0-9a-f]{4})\.?$/i

/**
 * The lowest and the highest id of the purchases with a number, in upper or lower case, also with a
 * space in place of the hyphen; null if the text is not such a number.
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
