import type { Coin } from './coins.ts'
import { findPayments, mayConcern, type Payment } from './find-payments.ts'
import type { UtxoNode } from './node.ts'
import { lookAtWaiting } from './raw-transactions.ts'
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

export function createMempool({ output }: Coin, scripts: ScriptWatch): Mempool {
  /** The transactions that were read and still wait, by id, with the payments in them. */
  let known: ReadonlyMap<string, Waiting['payments']> = new Map()

  return {
    async look(node, ids) {
      const watched = await scripts.load()

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

      // A separate map, since a slow reading may still be in progress when the next one begins.
      const looked = await lookAtWaiting(node, ids, known, (raw, id) =>
        paymentsIn(id, raw, watched),
      )
      known = looked
      return { payments: [...looked.values()].flat(), isWhole: looked.size === ids.length }
    },
  }
}
