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
  /** False where some transactions are left for the next time. */
  isWhole: boolean
}

const LOOKING_MS = 1_500
const TRANSACTIONS_A_CALL = 100

export function createMempool({ output }: Coin, scripts: ScriptWatch): Mempool {
  let seen = new Set<string>()
  let ours: Waiting['payments'] = []

  return {
    async look(node, ids) {
      const watched = await scripts.load()
      const deadline = performance.now() + LOOKING_MS
      const waiting = new Set(ids)
      seen = seen.intersection(waiting)
      ours = ours.filter(({ transactionHash }) => waiting.has(transactionHash))
      const unknown = ids.filter((id) => !seen.has(id))
      let looked = 0

      async function lookAt(id: string, raw: string): Promise<void> {
        if (mayConcern(raw, output, watched)) {
          const { payments, usedAhead } = findPayments([await node.decode(raw)], watched)
          if (usedAhead !== null) await scripts.skipPast(usedAhead)
          const since = payments.length > 0 ? await node.waitingSince(id) : null
          // One that has left meanwhile stands in the next block, or is gone.
          if (since !== null) {
            ours = [...ours, ...payments.map((payment) => ({ ...payment, since }))]
          }
        }
        seen.add(id)
      }

      while (looked < unknown.length && performance.now() < deadline) {
        const asked = unknown.slice(looked, looked + TRANSACTIONS_A_CALL)
        const raws = await node.rawTransactions(asked)
        for (const [place, id] of asked.entries()) {
          const raw = raws[place] ?? null
          if (raw !== null) await lookAt(id, raw)
        }
        looked += asked.length
      }
      return { payments: ours, isWhole: looked >= unknown.length }
    },
  }
}
