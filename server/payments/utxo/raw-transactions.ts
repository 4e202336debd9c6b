import type { UtxoNode } from './node.ts'

/** How scripts appear in raw transactions: their length with their first bytes, and their size. */
export const scriptForms = {
  pkh: { before: '1976a914', length: 50 },
  sh: { before: '17a914', length: 46 },
  wpkh: { before: '160014', length: 44 },
  wsh: { before: '220020', length: 68 },
  tr: { before: '225120', length: 68 },
}
const LENGTH_DIGITS = 2

/**
 * Whether a raw block or transaction contains any wanted script. Looking is a hundred times less
 * work than having the node decode it, and nearly every block contains none.
 */
export function holdsAny(
  raw: string,
  forms: readonly { before: string; length: number }[],
  isWanted: (script: string) => boolean,
): boolean {
  return forms.some(({ before, length }) => {
    for (let at = raw.indexOf(before); at !== -1; at = raw.indexOf(before, at + 1)) {
      const begin = at + LENGTH_DIGITS
      if (isWanted(raw.slice(begin, begin + length))) return true
    }
    return false
  })
}

const LOOKING_MS = 1_500
const TRANSACTIONS_A_CALL = 100

/**
 * What each waiting transaction holds. Those that are not known yet are read until the time is up,
 * and the rest is left for the next time.
 * @param ids All that wait.
 * @param read Returns null for a transaction that has left meanwhile.
 */
export async function lookAtWaiting<Held>(
  node: UtxoNode,
  ids: readonly string[],
  known: ReadonlyMap<string, Held>,
  read: (raw: string, id: string) => Promise<Held | null>,
): Promise<ReadonlyMap<string, Held>> {
  const deadline = performance.now() + LOOKING_MS
  const looked = new Map<string, Held>()
  const unknown: string[] = []
  for (const id of ids) {
    const held = known.get(id)
    if (held === undefined) unknown.push(id)
    else looked.set(id, held)
  }
  for (let at = 0; at < unknown.length && performance.now() < deadline;) {
    const asked = unknown.slice(at, at + TRANSACTIONS_A_CALL)
    for (const [place, raw] of (await node.rawTransactions(asked)).entries()) {
      const id = asked[place]
      if (raw === null || id === undefined) continue
      const held = await read(raw, id)
      if (held !== null) looked.set(id, held)
    }
    at += asked.length
  }
  return looked
}
