/** Does something with each item, at most `limit` at the same time; results in the items' order. */
export async function runLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  let hasFailed = false
  const workers = Array.from({ length: limit }, async () => {
    for (const [place, item] of queue) {
      if (hasFailed) return
      try {
        results[place] = await run(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  })
  await Promise.all(workers)
  return results
}
