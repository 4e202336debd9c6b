/**
 * A row as JSON that `jsonb_populate_record` reads into its columns. JSON has no integers of their
 * size and no bytes, so that both are texts there.
 */
export function jsonRow<Row extends object>(row: Row): Record<keyof Row, unknown>
export function jsonRow(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [column, jsonValue(value)]),
  )
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return value
}
