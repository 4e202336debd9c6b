import { Clock } from 'lucide-react'
import type { Project, Transaction } from '#contract/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { isRefundDue, receivedAmount } from '#web/features/purchase/payment-state.ts'
import { formatExact } from '#web/lib/format/format.ts'
import type { transaction as texts } from '#web/messages/en/transaction.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { buttonStyle } from '#web/ui/actions/button-style.ts'
import { ExternalLink } from '#web/ui/actions/links.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { type ProgressStep, ProgressSteps } from '#web/ui/feedback/progress-steps.tsx'
import { mailLink } from './mail-link.ts'
import { type CoinRefund, isOwnCoin, refundsByCoin } from './payment-figures.ts'

interface RefundRailProps {
  transaction: Transaction
  project: Project
}

/** What became of money that could not be credited, coin by coin, and what to do to get it back. */
export function RefundRail({ transaction, project }: RefundRailProps) {
  const { refund: messages } = useTransactionTexts()
  return (
    <section
      aria-label={messages.label}
      className="grid gap-x-8 gap-y-4 border-t border-hairline pt-4 sm:grid-cols-2"
    >
      {refundsByCoin(transaction).map((refund) => (
        <CoinSteps
          key={`${refund.symbol} ${refund.chain}`}
          transaction={transaction}
          refund={refund}
        />
      ))}
      {isRefundDue(transaction) && <WhereTo transaction={transaction} project={project} />}
    </section>
  )
}

function CoinSteps({ transaction, refund }: { transaction: Transaction; refund: CoinRefund }) {
  const { refund: messages, refundDue } = useTransactionTexts()
  const { symbol, due, sent } = refund
  const isOwn = isOwnCoin(transaction, refund)
  const amountOf = (amount: string) => `${formatExact(amount)} ${symbol ?? ''}`
  const all = receivedAmount(transaction)
  const arrived = isOwn && all !== '0' ? all : refund.amount
  const isPart = arrived !== refund.amount
  const steps: ProgressStep[] = [
    {
      label: symbol === null ? messages.somethingArrived : messages.arrived(amountOf(arrived)),
      state: 'done',
    },
    {
      label: isPart ? messages.unusedPart(amountOf(refund.amount)) : messages.unused,
      state: 'failed',
      detail: messages.reasons[isOwn ? reasonFor(transaction) : 'otherCoin'],
    },
    ...sent.map((paid): ProgressStep => ({
      label: symbol === null ? messages.somethingSent : messages.sent(amountOf(paid.amount)),
      state: 'done',
      detail: <SentDetail refund={paid} />,
    })),
  ]
  if (due !== null) {
    const label = symbol === null ? refundDue : messages.due(amountOf(due))
    steps.push({ label, state: 'current', mark: <Clock size={16} aria-hidden="true" /> })
  }
  return <ProgressSteps label={messages.label} steps={steps} />
}

type Reason = keyof (typeof texts)['refund']['reasons']

/** Why money in the right coin could not be credited. */
function reasonFor({ status, status_reason: reason }: Transaction): Reason {
  if (reason === 'late') return 'late'
  if (status === 'failed') return reason === 'underpaid' ? 'short' : 'failed'
  return status === 'expired' ? 'late' : 'more'
}

/** By which transaction it was sent, to be compared with what a wallet shows. */
function SentDetail({ refund }: { refund: Transaction['refunds'][number] }) {
  const { refund: messages, explorer } = useTransactionTexts()
  const url = refund.explorer_url
  return (
    <span className="flex flex-col items-start gap-1">
      <span>{messages.sentHint}</span>
      {refund.transaction_hash !== null && (
        <>
          <span>{messages.hash}</span>
          <AddressText value={refund.transaction_hash} />
        </>
      )}
      {url !== null && <ExternalLink href={url}>{explorer}</ExternalLink>}
    </span>
  )
}

/** What happens next, and whom to write to. */
function WhereTo({ transaction, project }: RefundRailProps) {
  const { refund: messages } = useTransactionTexts()
  const due = transaction.refunds.filter(({ status }) => status === 'due')
  const [chain = null, ...others] = new Set(due.map((refund) => refund.chain))
  const { contact_email: email } = project
  return (
    <div className="flex flex-col items-start gap-3 text-14">
      {email !== null && (
        <p>
          {chain !== null && others.length === 0
            ? messages.whereTo(networkName({ chain }))
            : messages.whereToAny}
        </p>
      )}
      <p className="text-quiet">{messages.next}</p>
      {email !== null && (
        <a
          href={mailLink(email, messages.subject(purchaseNumber(transaction.id)))}
          className={buttonStyle('primary', 'medium', false)}
        >
          {messages.write}
        </a>
      )}
    </div>
  )
}
