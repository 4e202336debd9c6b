import type { Coin } from './coins.ts'
import { holdsAny, scriptForms } from './raw-transactions.ts'
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

/** Whether a raw block or transaction contains any watched script. */
export function mayConcern(
  raw: string,
  output: Coin['output'],
  { given, ahead }: WatchedScripts,
): boolean {
  return holdsAny(raw, [scriptForms[output]], (script) => given.has(script) || ahead.has(script))
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
