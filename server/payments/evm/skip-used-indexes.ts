import { setImmediate } from 'node:timers/promises'
import type { AddressBook, KeyIdentity } from '#server/ports/address-book.ts'
import { type Asset, findTraces, readBalances } from './calls/read-balances.ts'
import type { EvmNode } from './calls/node.ts'

/** The search ends after this many consecutive addresses without a trace on the chain. */
const WINDOW = 500
/**
 * A restored database may also have forgotten addresses that were shown to somebody who has not
 * paid yet. This many indexes beyond the last used one are left alone.
 */
const MARGIN = 500
const DERIVED_AT_ONCE = 10

/**
 * Asks a chain for addresses that were used although the book has never given them out, as after
 * restoring an old backup, and moves the book past them. Returns the index that it moved to, or
 * null if it stays.
 */
export async function skipUsedIndexes(
  node: EvmNode,
  blockHash: string,
  contracts: readonly Asset[],
  book: AddressBook,
  key: KeyIdentity,
  derive: (index: number) => string,
): Promise<number | null> {
  let start = await book.nextIndex(key)
  let lastUsed: number | null = null
  for (;;) {
    const addresses = await deriveWindow(start, derive)
    const used = await findUsed(node, blockHash, contracts, addresses)
    if (used === null) break
    lastUsed = start + used
    start = lastUsed + 1
  }
  if (lastUsed === null) return null
  const next = lastUsed + 1 + MARGIN
  // If the book has moved on meanwhile, another instance gave that address out just now.
  return (await book.skipPast(key, { used: lastUsed, next }, derive)) ? next : null
}

/** Deriving takes a millisecond each time, which blocks everything else. */
async function deriveWindow(start: number, derive: (index: number) => string): Promise<string[]> {
  const addresses: string[] = []
  for (let index = start; index < start + WINDOW; index += 1) {
    addresses.push(derive(index).toLowerCase())
    if (index % DERIVED_AT_ONCE === 0) await setImmediate()
  }
  return addresses
}

/** The place of the last address that has a trace on the chain; null if none has. */
async function findUsed(
  node: EvmNode,
  blockHash: string,
  contracts: readonly Asset[],
  addresses: readonly string[],
): Promise<number | null> {
  const traced = await findTraces(node, addresses, blockHash)
  const balances: ReadonlyMap<string, bigint>[] = []
  for (const contract of contracts) {
    balances.push(await readBalances(node, contract, addresses, blockHash))
  }
  const place = addresses.findLastIndex(
    (address) => traced.has(address) || balances.some((of) => (of.get(address) ?? 0n) > 0n),
  )
  return place === -1 ? null : place
}
