import type { Coin } from './coins.ts'
import { findPayments, mayConcern, type Payment } from './find-payments.ts'
import type { UtxoNode } from './node.ts'
import type { ScriptWatch } from './watched-scripts.ts'

/** What waits for a block. Each transaction is looked at once. */
export type Mempool = {
  /**
   * Looks at the waiting transactions that are new, until the time is up.
   * @param ids All that wait.
   */
  look(node: UtxoNode, ids: readonly string[]): Promise<Waiting>
}

export type Waiting = {
  /** Payments of all that wait, with the time since when. */
  payments: readonly (Payment & { since: Date })[]
  /** False if some transactions are left for the next time. */
  isWhole: boolean
}

const LOOKING_MS = 1_500
const TRANSACTIONS_A_CALL = 100

export function createMempool({ output }: Coin, scripts: ScriptWatch): Mempool {
  /** By id, what was looked at and still waits, with the payments in it. */
  let known: ReadonlyMap<string, Waiting['payments']> = new Map()

  return {
    async look(node, ids) {
      const watched = await scripts.load()
      const deadline = performance.now() + LOOKING_MS
      // Of its own, since a slow look may still be under way when the next one begins.
      const looked = new Map<string, Waiting['payments']>()
      const unknown: string[] = []
      for (const id of ids) {
        const payments = known.get(id)
        if (payments === undefined) unknown.push(id)
        else looked.set(id, payments)
      }
      let count = 0

      async function paymentsIn(id: string, raw: string): Promise<Waiting['payments']> {
        if (!mayConcern(raw, output, watched)) return []
        const { payments, usedAhead } = findPayments([await node.decode(raw)], watched)
        if (usedAhead !== null) await scripts.skipPast(usedAhead)
        const since = payments.length > 0 ? await node.waitingSince(id) : null
        // One that has left meanwhile stands in the next block, or is gone.
        return since === null ? [] : payments.map((payment) => ({ ...payment, since }))
      }

      while (count < unknown.length && performance.now() < deadline) {
        const asked = unknown.slice(count, count + TRANSACTIONS_A_CALL)
        const raws = await node.rawTransactions(asked)
        for (const [place, id] of asked.entries()) {
          const raw = raws[place] ?? null
          if (raw !== null) looked.set(id, await paymentsIn(id, raw))
        }
        count += asked.length
      }
      known = looked
      return { payments: [...looked.values()].flat(), isWhole: count >= unknown.length }
    },
  }
}
