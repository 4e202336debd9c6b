/** Runs an action for each item, at most `limit` at a time; results are in the items' order. */
export async function mapWithConcurrency<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item, place: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  let hasFailed = false
  const workers = Array.from({ length: limit }, async () => {
    for (const [place, item] of queue) {
      if (hasFailed) return
      try {
        results[place] = await run(item, place)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  })
  await Promise.all(workers)
  return results
}

/** The items in order, in groups of that many. */
export function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, place) =>
    items.slice(place * size, (place + 1) * size),
  )
}
