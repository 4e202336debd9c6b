/** By the columns of the widest table it stays below the 65,535 values of a statement. */
const ROWS_MAX = 1000

/** Rows to insert, in chunks that a statement can take: how many there are is others' choice. */
export function chunk<Row>(rows: readonly Row[]): Row[][] {
  const chunks = []
  for (let first = 0; first < rows.length; first += ROWS_MAX) {
    chunks.push(rows.slice(first, first + ROWS_MAX))
  }
  return chunks
}
