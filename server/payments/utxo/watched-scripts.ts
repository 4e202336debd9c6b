import { setImmediate } from 'node:timers/promises'
import type { WatchList, Watched } from '#server/payments/chains/watch-list.ts'
import type { AddressBook, KeyIdentity } from '#server/ports/address-book.ts'
import type { Log } from '#server/ports/runtime.ts'
import { findUnspent } from './find-unspent.ts'
import type { UtxoNode } from './node.ts'

/** What outputs are compared with. */
export type WatchedScripts = {
  /** By script, the addresses that were given out. */
  given: Watched
  /** By script, the next indexes: if one of them was paid, only the chain knows. */
  ahead: ReadonlyMap<string, number>
}

/** Which scripts are watched, and how far the next index is from those used before. */
export type ScriptWatch = {
  load(): Promise<WatchedScripts>
  /**
   * Moves the book past an index that the chain has seen used and the book does not know, as after
   * restoring an old backup.
   */
  skipPast(used: number): Promise<void>
  /**
   * Asks a node for coins at addresses that the book has never given out, as when a sale begins
   * again with an earlier key. This takes the node minutes.
   * @param report Called meanwhile with the node's progress.
   */
  skipUnspent(node: UtxoNode, report: (what: string) => void): Promise<void>
}

/**
 * A restored database may also have forgotten addresses that were shown to somebody who has not
 * paid yet. This many indexes beyond the last used one are watched, and left alone.
 */
export const AHEAD = 500
const DERIVED_AT_ONCE = 10

type Options = {
  chain: string
  key: KeyIdentity
  book: AddressBook
  watchList: WatchList
  addressAt(index: number): string
  scriptOf(address: string): string
  /** The pause between two checks of the progress of a search for unspent coins. */
  lookEveryMs: number
  log: Log
}

export function createScriptWatch(options: Options): ScriptWatch {
  const { chain, key, book, watchList, addressAt, scriptOf, log } = options
  let ahead: ReadonlyMap<string, number> = new Map()
  let start = 0
  let end = 0

  async function loadAhead(): Promise<ReadonlyMap<string, number>> {
    const next = await book.nextIndex(key)
    if (next === start && end === next + AHEAD) return ahead
    const kept = [...ahead].filter(([, index]) => index >= next)
    const added: [string, number][] = []
    for (let index = Math.max(next, end); index < next + AHEAD; index += 1) {
      added.push([scriptOf(addressAt(index)), index])
      if (index % DERIVED_AT_ONCE === 0) await setImmediate()
    }
    ahead = new Map([...kept, ...added])
    start = next
    end = next + AHEAD
    return ahead
  }

  async function skipPast(used: number): Promise<void> {
    const nextIndex = used + 1 + AHEAD
    // If the book has moved on meanwhile, another instance gave that address out just now.
    if (!(await book.skipPast(key, { used, next: nextIndex }, addressAt))) return
    const facts = { chain, key: key.name, nextIndex }
    log.warn(facts, 'The chain knows addresses that the database does not. They are skipped')
  }

  return {
    skipPast,
    async load() {
      const ahead = await loadAhead()
      return { given: await watchList.load(), ahead }
    },
    async skipUnspent(node, report) {
      for (;;) {
        const next = await loadAhead()
        const reporting = { chain, log, everyMs: options.lookEveryMs, report }
        const unspent = await findUnspent(node, [...next.keys()], reporting)
        if (unspent === null) {
          log.warn(
            { chain, key: key.name },
            'The node cannot tell whether the key was used before. If it was, set ' +
              'DERIVATION_INDEX_MIN',
          )
          return
        }
        const used = [...next].flatMap(([script, index]) => (unspent.has(script) ? [index] : []))
        if (used.length === 0) return
        await skipPast(Math.max(...used))
      }
    },
  }
}
