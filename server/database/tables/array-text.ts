/**
 * A list in PostgreSQL's array syntax: with one parameter for each column instead of one for each
 * value, a statement stays the same for any number of rows. The driver's own conversion takes three
 * times as long, which matters because every purchase goes through here.
 */
export function arrayText(values: readonly ArrayItem[]): string {
  return `{${values.map(itemText).join(',')}}`
}

export type ArrayItem = string | number | bigint | Date | Uint8Array | null

/** Text that needs no quotes and is not the word NULL. */
const PLAIN = /^(?!null$)[\w:.+-]+$/i

function itemText(value: ArrayItem): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return PLAIN.test(value) ? value : quoted(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`
  return String(value)
}

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
