import type { AddressBook } from './address-book.ts'

/** The addresses that are watched, by what the chain is compared with. */
export type Watched = ReadonlyMap<string, { address: string; id: bigint }>

/** The addresses that anything may ever be paid to. */
export type WatchList = { load(): Promise<Watched> }

/**
 * Each address is fetched from the book once.
 * @param keyOf What the chain is compared with to find payments to an address.
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
      // A new map, since a reading that is under way keeps to the one that it began with.
      watched = new Map([...watched, ...entries])
      if (last.id > lastId) lastId = last.id
      return watched
    },
  }
}
