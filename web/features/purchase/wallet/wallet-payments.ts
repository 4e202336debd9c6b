import { useSyncExternalStore } from 'react'
import type { Transaction } from '#contract/shapes.ts'
import { createListeners } from '#web/lib/listeners.ts'
import { persisted } from '#web/lib/persisted.ts'
import type { WalletStep } from '#web/lib/wallet/send-by-wallet.ts'
import type { WalletRefusalReason } from '#web/lib/wallet/wallet-refusal.ts'

/** How far a wallet is with the payment of one purchase. */
export type WalletAttempt =
  | { stage: 'asking'; walletId: string; step: WalletStep }
  | { stage: 'refused'; walletId: string; reason: WalletRefusalReason }
  | { stage: 'sent'; hash: string; receiptsBefore: number }

/**
 * By purchase, and independent of what is on the screen: closing and reopening a dialog must not
 * let the same amount be sent twice. What was sent is also stored on the device.
 */
const attempts = new Map<string, WalletAttempt>()
const listeners = createListeners()

/** Kept on the device: the latest that were sent, each as `purchase hash receipts`. */
const STORED = 'wallet_sent'
const STORED_MAX = 20

/** Null if nothing was tried, or what was sent has arrived. */
export function useWalletAttempt(transaction: Transaction): WalletAttempt | null {
  const noted = useSyncExternalStore(subscribe, () => walletAttempt(transaction.id))
  return noted?.stage === 'sent' && !isAwaited(noted, transaction) ? null : noted
}

export function walletAttempt(purchaseId: string): WalletAttempt | null {
  const known = attempts.get(purchaseId)
  if (known !== undefined) return known
  const stored = readStored().find(([id]) => id === purchaseId)
  return stored === undefined ? null : takeStored(stored)
}

/** A sent payment stays recorded until it is cleared, whatever the result of another attempt. */
export function noteAttempt(purchaseId: string, attempt: WalletAttempt): void {
  if (attempts.get(purchaseId)?.stage === 'sent') return
  attempts.set(purchaseId, attempt)
  if (attempt.stage === 'sent') {
    writeStored(purchaseId, [purchaseId, attempt.hash, String(attempt.receiptsBefore)])
  }
  listeners.notify()
}

/** Lets the purchase be paid again: the buyer has cancelled what was sent in the wallet. */
export function clearAttempt(purchaseId: string): void {
  attempts.delete(purchaseId)
  writeStored(purchaseId, null)
  listeners.notify()
}

/**
 * Whether a sent payment is still missing among the receipts. If these link to their transactions,
 * it is found by its hash; otherwise any new receipt is taken for it.
 */
export function isAwaited(
  { hash, receiptsBefore }: Extract<WalletAttempt, { stage: 'sent' }>,
  { receipts }: Pick<Transaction, 'receipts'>,
): boolean {
  const links = receipts.flatMap(({ explorer_url }) => explorer_url?.toLowerCase() ?? [])
  if (links.length === 0) return receipts.length <= receiptsBefore
  return !links.some((link) => link.endsWith(hash.toLowerCase()))
}

function subscribe(listener: () => void): () => void {
  const unsubscribe = listeners.subscribe(listener)
  const stopWatching = persisted.watch(() => {
    // Another tab sent a payment, perhaps one that this tab is working on, or gave one up.
    for (const [id, { stage }] of attempts) if (stage === 'sent') attempts.delete(id)
    for (const stored of readStored()) takeStored(stored)
    listeners.notify()
  })
  return () => {
    unsubscribe()
    stopWatching()
  }
}

function takeStored([purchaseId = '', hash = '', receipts]: string[]): WalletAttempt {
  const attempt: WalletAttempt = { stage: 'sent', hash, receiptsBefore: Number(receipts) }
  attempts.set(purchaseId, attempt)
  return attempt
}

function readStored(): string[][] {
  const stored = persisted.read(STORED)
  const entries = typeof stored === 'string' ? stored.split(';') : []
  return entries.map((entry) => entry.split(' ')).filter(({ length }) => length === 3)
}

function writeStored(purchaseId: string, entry: string[] | null): void {
  const others = readStored().filter(([id]) => id !== purchaseId)
  const kept = entry === null ? others : [...others, entry]
  persisted.write(
    STORED,
    kept
      .slice(-STORED_MAX)
      .map((each) => each.join(' '))
      .join(';'),
  )
}
