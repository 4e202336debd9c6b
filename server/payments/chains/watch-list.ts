import type { AddressBook } from '#server/ports/address-book.ts'

/** The watched addresses, by what the chain's data is compared with. */
export type Watched = ReadonlyMap<string, { address: string; id: bigint }>

/** The addresses that anything may ever be paid to. */
export type WatchList = { load(): Promise<Watched> }

/**
 * Fetches each address from the book only once.
 * @param keyOf What the chain's data is compared with to find payments to an address.
 */
export function createWatchList(
  book: AddressBook,
  keyName: string,
  keyOf: (address: string) => string,
): WatchList {
  let watched: Watched = new Map()
  let lastId = 0n
  return {
    async load() {
      const added = await book.listAfter(keyName, lastId)
      const last = added.at(-1)
      if (last === undefined) return watched
      const entries = added.map(({ id, address }) => [keyOf(address), { address, id }] as const)
      // A new map, since a reading in progress keeps the one that it began with.
      watched = new Map([...watched, ...entries])
      if (last.id > lastId) lastId = last.id
      return watched
    },
  }
}
