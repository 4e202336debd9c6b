import type { UtxoNode } from './node.ts'
import { holdsAny, lookAtWaiting, scriptForms } from './raw-transactions.ts'
import type { Transaction } from './transactions.ts'

/** An output that pays one of the wanted scripts. */
export type Paid = {
  transactionHash: string
  index: number
  script: string
  amount: bigint
  /** What its transaction spends, as `hash:index`. */
  spends: readonly string[]
}
/** Scripts, in hexadecimal digits. */
export type Wanted = ReadonlySet<string>

export type OutputReader = {
  readBlock(node: UtxoNode, hash: string, wanted: Wanted): Promise<readonly Paid[]>
  /** Reads waiting transactions, as far as there is time: the rest is read next time. */
  readWaiting(node: UtxoNode, wanted: Wanted): Promise<Paid[]>
}

/** More than may still be replaced. */
const BLOCKS_REMEMBERED = 300
/** More than the batches of a month pay, as those are looked for. */
const SCRIPTS_REMEMBERED = 50_000
const FORMS = Object.values(scriptForms)

/** Looks for outputs in blocks and in waiting transactions, and reads each of them once. */
export function createOutputReader(): OutputReader {
  /** By wanted scripts, and then by block, whose hash determines its content. */
  const blocks = new WeakMap<Wanted, Map<string, readonly Paid[]>>()
  /** What was asked for, all together, and what each waiting transaction pays of it. */
  let asked: Wanted = new Set()
  let waiting: ReadonlyMap<string, readonly Paid[]> = new Map()

  /** Batches are asked for in turn: a new one has everything read once more, for all of them. */
  function remember(wanted: Wanted): void {
    if (wanted.isSubsetOf(asked)) return
    asked = asked.size + wanted.size > SCRIPTS_REMEMBERED ? wanted : asked.union(wanted)
    waiting = new Map()
  }

  return {
    async readBlock(node, hash, wanted) {
      const known = blocks.get(wanted) ?? new Map<string, readonly Paid[]>()
      blocks.set(wanted, known)
      const before = known.get(hash)
      if (before !== undefined) return before
      const isConcerned = mayPay(await node.rawBlock(hash), wanted)
      const paid = isConcerned ? paidBy(await node.transactionsOf(hash), wanted) : []
      keep(known, hash, paid, BLOCKS_REMEMBERED)
      return paid
    },
    async readWaiting(node, wanted) {
      const ids = await node.waiting()
      remember(wanted)
      const all = asked
      const looked = await lookAtWaiting(node, ids, waiting, async (raw) =>
        mayPay(raw, all) ? paidBy([await node.decode(raw)], all) : [],
      )
      if (all === asked) waiting = looked
      return [...looked.values()].flat().filter(({ script }) => wanted.has(script))
    },
  }
}

/** The outputs of transactions that pay any of the scripts. */
export function paidBy(transactions: readonly Transaction[], wanted: Wanted): Paid[] {
  return transactions.flatMap(({ id: transactionHash, spends, outputs }) =>
    outputs.flatMap(({ index, script, amount }) =>
      wanted.has(script) ? [{ transactionHash, index, script, amount, spends }] : [],
    ),
  )
}

const mayPay = (raw: string, wanted: Wanted) => holdsAny(raw, FORMS, (script) => wanted.has(script))

function keep<Value>(memory: Map<string, Value>, key: string, value: Value, most: number): void {
  memory.delete(key)
  memory.set(key, value)
  const [oldest] = memory.keys()
  if (memory.size > most && oldest !== undefined) memory.delete(oldest)
}
