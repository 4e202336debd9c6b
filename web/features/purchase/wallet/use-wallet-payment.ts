import { useQueryClient } from '@tanstack/react-query'
import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useSession } from '#web/session/session-context.tsx'
import type { AnnouncedWallet } from './announced-wallets.ts'
import { payWithWallet } from './pay-with-wallet.ts'
import { applyTransaction } from '#web/features/purchase/transaction-cache.ts'
import { type WalletOrder, walletOrder } from './wallet-order.ts'
import {
  forgetAttempt,
  isAwaited,
  noteAttempt,
  useWalletAttempt,
  walletAttempt,
} from './wallet-payments.ts'
import { WalletRefusal } from './wallet-refusal.ts'

/** The payment of one purchase by a wallet of the browser. */
export function useWalletPayment(transaction: Transaction) {
  const { callAs } = useSession()
  const queries = useQueryClient()
  const attempt = useWalletAttempt(transaction)
  const { totalSeconds } = useCountdown(transaction.expires_date)
  const order = totalSeconds > 0 ? walletOrder(transaction) : null

  /** What is due by the server's word at this moment; the page shows it as well. */
  async function readOrder(): Promise<WalletOrder | null> {
    const { id } = transaction
    const fresh = await callAs(transactionsContract.getTransaction, { params: { id } })
    applyTransaction(queries, fresh)
    const isSent = walletAttempt(id)?.stage === 'sent'
    const isOver = Date.parse(fresh.expires_date ?? '') <= Date.now()
    return isSent || isOver ? null : walletOrder(fresh)
  }

  async function pay({ id: walletId, provider }: AnnouncedWallet, wanted: WalletOrder) {
    const { id, receipts } = transaction
    const earlier = walletAttempt(id)
    if (earlier?.stage === 'asking') return
    if (earlier?.stage === 'sent') {
      if (isAwaited(earlier, transaction)) return
      forgetAttempt(id)
    }
    noteAttempt(id, { stage: 'asking', walletId, step: 'account' })
    try {
      await payWithWallet({
        provider,
        order: wanted,
        readOrder,
        onStep: (step) => noteAttempt(id, { stage: 'asking', walletId, step }),
        onSent: (hash) => noteAttempt(id, { stage: 'sent', hash, receiptsBefore: receipts.length }),
      })
    } catch (error) {
      const reason = error instanceof WalletRefusal ? error.reason : 'failed'
      noteAttempt(id, { stage: 'refused', walletId, reason })
    }
  }

  return {
    /** Null where no wallet may be asked, such as when the time is up. */
    order,
    attempt,
    pay: (wallet: AnnouncedWallet) => {
      if (order !== null) void pay(wallet, order)
    },
    payAgain: () => forgetAttempt(transaction.id),
  }
}
