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
   * used that the book does not. True where it moved.
   */
  skipPast(key: KeyIdentity, used: number, next: number): Promise<boolean>
  /** The addresses of all keys of a name, current or former, beyond the last one known. */
  listAfter(keyName: string, lastId: bigint): Promise<DerivedAddress[]>
  /** When the first address was taken for a chain; null where none was. */
  firstTakenAt(chain: string): Promise<Date | null>
}
