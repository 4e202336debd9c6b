/** An extended public key. */
export type KeyIdentity = { name: string; fingerprint: string }

export type DerivedAddress = {
  /** Grows in the order in which addresses become visible. */
  id: bigint
  index: number
  address: string
}

/** Every address that was ever derived, and the indexes still to be used. */
export type AddressBook = {
  /**
   * Takes the next index, for ever, and stores the address that `derive` makes from it. Throws
   * `Unavailable` if the key is no longer the current one, or has no index left.
   */
  take(
    key: KeyIdentity,
    chain: string,
    derive: (index: number) => string,
  ): Promise<{ index: number; address: string }>
  /** The lowest index that was never taken. */
  nextIndex(key: KeyIdentity): Promise<number>
  /**
   * Moves the next index to `next` if it is still `used` or lower: the chain has seen an index used
   * that the book does not know. True if it moved. What is skipped may have been shown to buyers
   * whom the database has lost, so it is stored and watched like what was given out.
   */
  skipPast(
    key: KeyIdentity,
    indexes: { used: number; next: number },
    derive: (index: number) => string,
  ): Promise<boolean>
  /** The addresses of all keys with a name, current or former, after the last one known. */
  listAfter(keyName: string, lastId: bigint): Promise<DerivedAddress[]>
  /** When the first address was taken for a chain; null if none was. */
  firstTakenAt(chain: string): Promise<Date | null>
}
