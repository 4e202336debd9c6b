import type { Coin } from './coins.ts'
import type { Transaction } from './transactions.ts'
import type { WatchedScripts } from './watched-scripts.ts'

/** An output to a watched address. */
export type Payment = {
  transactionHash: string
  index: number
  address: string
  amount: bigint
  /** New coins of a block, which nobody has sent. */
  isCoinbase: boolean
}

/** What was found: payments, and the highest index that was paid to without being given out. */
export type Findings = { payments: readonly Payment[]; usedAhead: number | null }

/** A script inside a transaction, after its length: the bytes around the key's hash. */
const FORMS: Readonly<Record<Coin['output'], { before: string; length: number }>> = {
  wpkh: { before: '160014', length: 44 },
  pkh: { before: '1976a914', length: 50 },
}
const LENGTH_DIGITS = 2

/**
 * Whether a raw block or transaction contains any watched script. Looking is a hundred times less
 * work than having the node decode it, and nearly every block contains none.
 */
export function mayConcern(raw: string, output: Coin['output'], watched: WatchedScripts): boolean {
  const { before, length } = FORMS[output]
  for (let at = raw.indexOf(before); at !== -1; at = raw.indexOf(before, at + 1)) {
    const script = raw.slice(at + LENGTH_DIGITS, at + LENGTH_DIGITS + length)
    if (watched.given.has(script) || watched.ahead.has(script)) return true
  }
  return false
}

/** The outputs of transactions that pay to watched addresses. */
export function findPayments(
  transactions: readonly Transaction[],
  { given, ahead }: WatchedScripts,
): Findings {
  const payments: Payment[] = []
  let usedAhead: number | null = null
  for (const { id: transactionHash, isCoinbase, outputs } of transactions) {
    for (const { index, script, amount } of outputs) {
      const address = given.get(script)?.address
      const unknown = address === undefined ? ahead.get(script) : undefined
      if (address !== undefined && amount > 0n) {
        payments.push({ transactionHash, index, address, amount, isCoinbase })
      }
      if (unknown !== undefined) usedAhead = Math.max(unknown, usedAhead ?? unknown)
    }
  }
  return { payments, usedAhead }
}
