/** Reads batch after batch, each from the last row of the one before on, until one is empty. */
export async function* readInBatches<Row, Key>(
  readBatch: (after: Key | null) => Promise<Row[]>,
  keyOf: (last: Row) => Key,
): AsyncGenerator<Row[]> {
  for (let after: Key | null = null; ;) {
    const rows: Row[] = await readBatch(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = keyOf(last)
  }
}
