import type { Coin } from './coins.ts'
import { findPayments, mayConcern, type Payment } from './find-payments.ts'
import { isAnySpent } from './find-payouts.ts'
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
  /** Transactions with payments that the node has only forgotten. */
  forgotten: readonly string[]
}

/** What a waiting transaction pays here, and the coins that it spends. */
type Held = {
  payments: Waiting['payments']
  spends: readonly string[]
  /** Those of the coins whose own transactions waited too. */
  unsure: readonly string[]
}

/** What a node lists by now: what was read of it, and all of it by id. */
type Listed = { looked: ReadonlyMap<string, Held>; listed: ReadonlySet<string> }

const NOTHING: Held = { payments: [], spends: [], unsure: [] }
/** What a node has forgotten for this long no longer counts as waiting. */
const FORGOTTEN_MS = 3_600_000

const transactionOf = (coin: string) => coin.split(':')[0] ?? ''

/** Whether anything else spends the coins of a transaction that the node does not list any more. */
async function isReplaced(
  node: UtxoNode,
  { spends, unsure }: Held,
  { looked, listed }: Listed,
): Promise<boolean> {
  const spent = new Set([...looked.values()].flatMap((held) => held.spends))
  if (spends.some((coin) => spent.has(coin))) return true
  // A coin that was forgotten too is not there, and is not spent all the same.
  const isLost = (coin: string) => unsure.includes(coin) && !listed.has(transactionOf(coin))
  return await isAnySpent(
    node,
    spends.filter((coin) => !isLost(coin)),
  )
}

export function createMempool({ output }: Coin, scripts: ScriptWatch): Mempool {
  /** The transactions that were read and still wait, by id. */
  let known: ReadonlyMap<string, Held> = new Map()
  /** Those with payments that the node last asked did not list, and since when. */
  let away: ReadonlyMap<string, Held & { since: number }> = new Map()

  /** Those of the missing that are not replaced: nothing else spends their coins. */
  async function findForgotten(
    node: UtxoNode,
    missing: ReadonlyMap<string, Held & { since: number }>,
    now: Listed,
  ): Promise<string[]> {
    // Kept where the node does not answer: it is asked again.
    away = missing
    const forgotten: string[] = []
    const left = new Map(missing)
    for (const [id, held] of missing) {
      const paid = await node.unspent(id, held.payments[0]?.index ?? 0)
      const isOver = performance.now() - held.since > FORGOTTEN_MS
      const isKept = paid !== null || (!isOver && !(await isReplaced(node, held, now)))
      if (isKept) forgotten.push(id)
      // A block that has it may be one that is still to be read.
      if (!isKept || (paid?.confirmations ?? 0) > 0) left.delete(id)
    }
    away = left
    return forgotten
  }

  return {
    async look(node, ids) {
      const watched = await scripts.load()
      const listed = new Set(ids)

      /** Null for a transaction that has left meanwhile: it is in the next block, or gone. */
      async function heldBy(
        id: string,
        raw: string,
        watched: WatchedScripts,
      ): Promise<Held | null> {
        if (!mayConcern(raw, output, watched)) return NOTHING
        const transaction = await node.decode(raw)
        const { payments, usedAhead } = findPayments([transaction], watched)
        if (usedAhead !== null) {
          await scripts.skipPast(usedAhead)
          return await heldBy(id, raw, await scripts.load())
        }
        if (payments.length === 0) return NOTHING
        const since = await node.waitingSince(id)
        const { spends } = transaction
        const unsure = spends.filter((coin) => listed.has(transactionOf(coin)))
        return (
          since && { payments: payments.map((payment) => ({ ...payment, since })), spends, unsure }
        )
      }

      // A separate map, since a slow reading may still be in progress when the next one begins.
      const looked = await lookAtWaiting(node, ids, known, (raw, id) => heldBy(id, raw, watched))
      const since = performance.now()
      const missing = new Map([...away].filter(([id]) => !listed.has(id)))
      for (const [id, held] of known) {
        if (held !== NOTHING && !listed.has(id)) missing.set(id, { ...held, since })
      }
      known = looked
      const forgotten = await findForgotten(node, missing, { looked, listed })
      const payments = [...looked.values()].flatMap((held) => held.payments)
      return { payments, isWhole: looked.size === ids.length, forgotten }
    },
  }
}
