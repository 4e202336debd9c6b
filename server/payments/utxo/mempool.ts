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
   * @param recorded What was recorded as waiting, by whichever server.
   */
  look(node: UtxoNode, ids: readonly string[], recorded: readonly Recorded[]): Promise<Waiting>
}

/** An output of a transaction. */
type Recorded = { transactionHash: string; index: number }

export type Waiting = {
  /** Payments in waiting transactions, each with the time since when it waits. */
  payments: readonly (Payment & { since: Date })[]
  /**
   * False if some transactions are left for the next time, or have left for a block that is still
   * to be read.
   */
  isWhole: boolean
  /** Recorded transactions that the node has only forgotten. */
  forgotten: readonly string[]
  /**
   * Recorded ones that the node does not list and that were never read here, but by another server,
   * or before the start: nobody knows which coins they spend.
   */
  unseen: readonly string[]
  /** To be called once all of this is recorded. */
  noteStored(): void
}

/** What a waiting transaction pays here, and the coins that it spends. */
type Held = { payments: Waiting['payments']; spends: readonly string[] }

/** One that was recorded and is not listed. */
type Missing = {
  /** One of its outputs that pays here. */
  index: number
  /** Empty where it was never read here. */
  spends: readonly string[]
  /** Those of the coins whose own transactions still waited when it was last listed. */
  unsure: readonly string[]
  since: number
}

/** What a node lists by now: what was read of it, and all of it by id. */
type Listed = { looked: ReadonlyMap<string, Held>; listed: ReadonlySet<string> }

const NOTHING: Held = { payments: [], spends: [] }
/** What a node has forgotten for this long no longer counts as waiting. */
const FORGOTTEN_MS = 3_600_000

const transactionOf = (coin: string) => coin.split(':')[0] ?? ''

/** Whether anything else spends the coins of a transaction that the node does not list any more. */
async function isReplaced(
  node: UtxoNode,
  { spends, unsure }: Missing,
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

/** Which of the missing may still wait: nothing else is known to spend their coins. */
async function assess(
  node: UtxoNode,
  missing: ReadonlyMap<string, Missing>,
  now: Listed,
): Promise<Pick<Waiting, 'forgotten' | 'unseen'> & { gone: string[] }> {
  const forgotten: string[] = []
  const unseen: string[] = []
  const gone: string[] = []
  for (const [id, held] of missing) {
    const isOver = performance.now() - held.since > FORGOTTEN_MS
    // A block that has it may be one that is still to be read.
    if ((await node.unspent(id, held.index)) !== null) forgotten.push(id)
    else if (isOver) gone.push(id)
    else if (held.spends.length === 0) unseen.push(id)
    else if (await isReplaced(node, held, now)) gone.push(id)
    else forgotten.push(id)
  }
  return { forgotten, unseen, gone }
}

/**
 * What was reported as gone and is recorded again waits at the node of another server: it is left
 * alone for an hour, or the two would undo each other at each reading.
 */
function rememberGone() {
  const goneAt = new Map<string, number>()
  return {
    leftToOthers(gone: readonly string[]): string[] {
      const now = performance.now()
      for (const [id, at] of goneAt) if (now - at > FORGOTTEN_MS) goneAt.delete(id)
      return gone.filter((id) => goneAt.has(id))
    },
    /** Not before it is recorded: what was lost with its reading is to be reported again. */
    note(gone: readonly string[]): void {
      const now = performance.now()
      for (const id of gone) if (!goneAt.has(id)) goneAt.set(id, now)
    },
  }
}

export function createMempool({ output }: Coin, scripts: ScriptWatch): Mempool {
  /** The transactions that were read and still wait, by id. */
  let known: ReadonlyMap<string, Held> = new Map()
  /** All that waited then, read or not. */
  let lastListed: ReadonlySet<string> = new Set()
  /** The recorded ones that the node last asked did not list. */
  let away: ReadonlyMap<string, Missing> = new Map()
  const reported = rememberGone()

  function missingFrom(listed: ReadonlySet<string>, recorded: readonly Recorded[]) {
    const since = performance.now()
    const missing = new Map<string, Missing>()
    for (const { transactionHash: id, index } of recorded) {
      if (listed.has(id)) continue
      const { spends } = known.get(id) ?? NOTHING
      const unsure = spends.filter((coin) => lastListed.has(transactionOf(coin)))
      missing.set(id, away.get(id) ?? { index, spends, unsure, since })
    }
    return missing
  }

  return {
    async look(node, ids, recorded) {
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
        return since && { payments: payments.map((payment) => ({ ...payment, since })), spends }
      }

      // A separate map, since a slow reading may still be in progress when the next one begins.
      const looked = await lookAtWaiting(node, ids, known, (raw, id) => heldBy(id, raw, watched))
      // Kept where the node does not answer about one of them: it is asked again.
      away = missingFrom(listed, recorded)
      known = looked
      lastListed = listed
      const payments = [...looked.values()].flatMap((held) => held.payments)
      const isWhole = looked.size === ids.length
      const { forgotten, unseen, gone } = await assess(node, away, { looked, listed })
      return {
        payments,
        isWhole,
        unseen,
        forgotten: [...forgotten, ...reported.leftToOthers(gone)],
        noteStored() {
          if (isWhole) reported.note(gone)
        },
      }
    },
  }
}
