import type { AddressBook } from '#server/payments/address-book.ts'
import type { Watched } from './movements.ts'

/** The addresses that anything may ever be paid to. */
export type WatchList = { load(): Promise<Watched> }

/** Each address is fetched from the book once. */
export function createWatchList(book: AddressBook, keyName: string): WatchList {
  let watched: Watched = new Map()
  let lastId = 0n
  return {
    async load() {
      const added = await book.listAfter(keyName, lastId)
      const last = added.at(-1)
      if (last === undefined) return watched
      const entries = added.map(
        ({ id, address }) => [address.toLowerCase(), { address, id }] as const,
      )
      // A new map, since a reading that is under way keeps to the one that it began with.
      watched = new Map([...watched, ...entries])
      if (last.id > lastId) lastId = last.id
      return watched
    },
  }
}
