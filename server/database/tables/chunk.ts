/** Keeps the widest table below the limit of 65,535 values in a statement. */
const ROWS_MAX = 1000

export function chunk<Row>(rows: readonly Row[]): Row[][] {
  const chunks = []
  for (let first = 0; first < rows.length; first += ROWS_MAX) {
    chunks.push(rows.slice(first, first + ROWS_MAX))
  }
  return chunks
}
