/** Which key addresses are derived from. */
export type KeyIdentity = { name: string; fingerprint: string }

/** An address that was derived for a payment. */
export type DerivedAddress = {
  /** Grows in the order in which addresses become visible. */
  id: bigint
  index: number
  address: string
}

/** Every address that was ever derived, and the indexes that are still to be used. */
export type AddressBook = {
  /**
   * Takes the next index for ever, and stores the address that `derive` makes of it. Throws
   * `Unavailable` where the key is no longer the current one, or has no index left.
   */
  take(
    key: KeyIdentity,
    chain: string,
    derive: (index: number) => string,
  ): Promise<{ index: number; address: string }>
  /** The lowest index that was never taken. */
  nextIndex(key: KeyIdentity): Promise<number>
  /**
   * Moves the next index to `next` where it is still `used` or lower: the chain knows an index as
   * used that the book does not. True if it moved.
   */
  skipPast(key: KeyIdentity, used: number, next: number): Promise<boolean>
  /** The addresses of all keys of a name, current or former, beyond the last one known. */
  listAfter(keyName: string, lastId: bigint): Promise<DerivedAddress[]>
  /** When the first address was taken for a chain; null if none was. */
  firstTakenAt(chain: string): Promise<Date | null>
}

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
