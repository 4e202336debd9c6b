import { useEffect, useRef } from 'react'
import { Check } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { orNull } from '#contract/codec.ts'
import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { networkName } from '#domain/chains/chain.ts'
import { askForTransaction } from '#web/features/purchase/transaction-cache.ts'
import { useIsTimeUp } from '#web/features/purchase/use-is-time-up.ts'
import { formatExact } from '#web/lib/format/format.ts'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { type AnnouncedWallet, useAnnouncedWallets } from '#web/lib/wallet/announced-wallets.ts'
import { WalletRefusal } from '#web/lib/wallet/wallet-refusal.ts'
import { useWalletTexts } from '#web/messages/use-wallet-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { WalletButtons, WalletFault } from '#web/ui/wallet-buttons.tsx'
import { payWithWallet } from './pay-with-wallet.ts'
import { type WalletOrder, walletOrder } from './wallet-order.ts'
import {
  clearAttempt,
  isAwaited,
  noteAttempt,
  useWalletAttempt,
  walletAttempt,
} from './wallet-payments.ts'

/** Pays from a wallet in this browser; nothing at all if there is none. */
export function WalletPayment({ transaction }: { transaction: Transaction }) {
  const texts = useWalletTexts()
  const wallets = useAnnouncedWallets()
  const { order, attempt, pay, payAgain } = useWalletPayment(transaction)
  const { payment_token: token, payment_amount: due } = transaction
  const isSent = attempt?.stage === 'sent'
  const section = useKeptFocus(isSent)
  const isShown = isSent || (order !== null && wallets.length > 0)
  if (!isShown || token === null || due === null) return null

  const asked = attempt?.stage === 'asking' ? attempt.walletId : null
  const walletId = attempt !== null && 'walletId' in attempt ? attempt.walletId : null
  const wallet = wallets.find(({ id }) => id === walletId)?.name ?? ''
  const amount = `${formatExact(due)} ${token.short_name}`
  const words = { wallet, amount, symbol: token.short_name, network: networkName(token) }
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={texts.title}
      className="flex min-w-0 flex-col gap-3"
      data-wallet-payment
    >
      {!isSent && (
        <WalletButtons wallets={wallets} asked={asked} textOf={texts.payWith} onChoose={pay} />
      )}
      <div role="status" className="text-14 empty:hidden">
        {attempt === null && <p className="text-quiet">{texts.hint(words)}</p>}
        {attempt?.stage === 'asking' && <p>{texts.steps[attempt.step](words)}</p>}
        {attempt?.stage === 'refused' && (
          <WalletFault reason={attempt.reason}>{texts.refusals[attempt.reason](words)}</WalletFault>
        )}
        {isSent && (
          <p className="flex items-start gap-2">
            <Check size={16} className="mt-0.5 shrink-0 text-success" />
            <span>
              <strong className="font-strong">{texts.sent}</strong> {texts.sentHint}
            </span>
          </p>
        )}
      </div>
      {isSent && <SentPayment hash={attempt.hash} onAgain={payAgain} />}
    </section>
  )
}

/** The buttons come and go; the focus stays where it was. */
function useKeptFocus(isSent: boolean) {
  const section = useRef<HTMLElement>(null)
  const wasSent = useRef(isSent)
  useEffect(() => {
    const isLost = wasSent.current !== isSent && document.activeElement === document.body
    if (isLost) section.current?.focus()
    wasSent.current = isSent
  }, [isSent])
  return section
}

/** The wallet's result, and the way out if it was cancelled there. */
function SentPayment({ hash, onAgain }: { hash: string; onAgain: () => void }) {
  const texts = useWalletTexts()
  return (
    <>
      <CopyField label={texts.hash} value={hash}>
        <AddressText value={hash} />
      </CopyField>
      <Button variant="quiet" size="small" className="self-start" onClick={onAgain}>
        {texts.again}
      </Button>
    </>
  )
}

function useWalletPayment(transaction: Transaction) {
  const { callAs } = useSession()
  const queries = useQueryClient()
  const attempt = useWalletAttempt(transaction)
  const order = useIsTimeUp(transaction) ? null : walletOrder(transaction)

  /** What is due according to the server at this moment, which the page also shows. */
  async function readOrder(): Promise<WalletOrder | null> {
    const { id } = transaction
    const fresh = await askForTransaction(queries, transaction, () =>
      callAs(transactionsContract.getTransaction, { params: { id } }),
    )
    const isSent = walletAttempt(id)?.stage === 'sent'
    const isOver = (orNull(fresh.expires_date, onThisClock) ?? Infinity) <= Date.now()
    return isSent || isOver ? null : walletOrder(fresh)
  }

  async function pay({ id: walletId, provider }: AnnouncedWallet, wanted: WalletOrder) {
    const { id, receipts } = transaction
    const earlier = walletAttempt(id)
    if (earlier?.stage === 'asking') return
    if (earlier?.stage === 'sent') {
      if (isAwaited(earlier, transaction)) return
      clearAttempt(id)
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
    /** Null if no wallet may be asked, for example when the time is up. */
    order,
    attempt,
    pay: (wallet: AnnouncedWallet) => {
      if (order !== null) void pay(wallet, order)
    },
    payAgain: () => clearAttempt(transaction.id),
  }
}
