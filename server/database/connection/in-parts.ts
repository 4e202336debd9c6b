/** By the columns of the widest table it stays below the 65,535 values of a statement. */
const ROWS_MAX = 1000

/** Rows to insert, in parts that a statement can take: how many there are is others' choice. */
export function inParts<Row>(rows: readonly Row[]): Row[][] {
  const parts = []
  for (let first = 0; first < rows.length; first += ROWS_MAX) {
    parts.push(rows.slice(first, first + ROWS_MAX))
  }
  return parts
}
