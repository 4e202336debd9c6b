import type { Coin } from './coins.ts'
import { findPayments, mayConcern, type Payment } from './find-payments.ts'
import type { UtxoNode } from './node.ts'
import type { ScriptWatch, WatchedScripts } from './watched-scripts.ts'

/** Transactions that wait for a block. Each is read only once. */
export type Mempool = {
  /**
   * Reads the waiting transactions that are new, until the time is up.
   * @param ids All that wait.
   */
  look(node: UtxoNode, ids: readonly string[]): Promise<Waiting>
}

export type Waiting = {
  /** Payments in waiting transactions, each with the time since when it waits. */
  payments: readonly (Payment & { since: Date })[]
  /**
   * False if some transactions are left for the next time, or have left for a block that is still
   * to be read.
   */
  isWhole: boolean
}

const LOOKING_MS = 1_500
const TRANSACTIONS_A_CALL = 100

export function createMempool({ output }: Coin, scripts: ScriptWatch): Mempool {
  /** The transactions that were read and still wait, by id, with the payments in them. */
  let known: ReadonlyMap<string, Waiting['payments']> = new Map()

  return {
    async look(node, ids) {
      const watched = await scripts.load()
      const deadline = performance.now() + LOOKING_MS
      // A separate map, since a slow reading may still be in progress when the next one begins.
      const looked = new Map<string, Waiting['payments']>()
      const unknown: string[] = []
      for (const id of ids) {
        const payments = known.get(id)
        if (payments === undefined) unknown.push(id)
        else looked.set(id, payments)
      }

      /** Null for a transaction that has left meanwhile: it is in the next block, or gone. */
      async function paymentsIn(
        id: string,
        raw: string,
        watched: WatchedScripts,
      ): Promise<Waiting['payments'] | null> {
        if (!mayConcern(raw, output, watched)) return []
        const { payments, usedAhead } = findPayments([await node.decode(raw)], watched)
        if (usedAhead !== null) {
          await scripts.skipPast(usedAhead)
          return await paymentsIn(id, raw, await scripts.load())
        }
        if (payments.length === 0) return []
        const since = await node.waitingSince(id)
        return since && payments.map((payment) => ({ ...payment, since }))
      }

      for (let at = 0; at < unknown.length && performance.now() < deadline;) {
        const asked = unknown.slice(at, at + TRANSACTIONS_A_CALL)
        for (const [place, raw] of (await node.rawTransactions(asked)).entries()) {
          const id = asked[place]
          if (raw === null || id === undefined) continue
          const payments = await paymentsIn(id, raw, watched)
          if (payments !== null) looked.set(id, payments)
        }
        at += asked.length
      }
      known = looked
      return { payments: [...looked.values()].flat(), isWhole: looked.size === ids.length }
    },
  }
}
