import { Clock } from 'lucide-react'
import { useRef, useState } from 'react'
import type { RefundClaim } from '#contract/refunds.ts'
import type { Project, Transaction } from '#contract/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { receivedAmount } from '#web/features/purchase/payment-state.ts'
import { useClaimSteps } from '#web/features/purchase/refunds/claim-steps.tsx'
import {
  ClaimDialog,
  OpenClaim,
  PaidClaim,
  RefundAct,
} from '#web/features/purchase/refunds/refund-act.tsx'
import {
  claimsOf,
  isActive,
  type OwedCoins,
  owedIn,
  useRefunds,
} from '#web/features/purchase/refunds/refund-queries.ts'
import { formatExact } from '#web/lib/format/format.ts'
import { useKeptFocus } from '#web/lib/use-kept-focus.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useRefundClaimTexts } from '#web/messages/use-refund-claim-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { buttonStyle, Button, ExternalLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { type ProgressStep, ProgressSteps } from '#web/ui/feedback/progress-steps.tsx'
import { mailLink } from './mail-link.ts'
import { type CoinRefund, isOwnCoin, refundsByCoin } from './payment-figures.ts'
import { refundReason } from './refund-reason.ts'

interface RefundRailProps {
  transaction: Transaction
  project: Project
}

/** What became of money that could not be credited, coin by coin, and how to get it back. */
export function RefundRail({ transaction, project }: RefundRailProps) {
  const { refund: messages } = useTransactionTexts()
  const refunds = useRefunds()
  return (
    <section
      aria-label={messages.label}
      className="flex flex-col gap-6 border-t border-hairline pt-4"
    >
      {refundsByCoin(transaction).map((refund) => {
        const { symbol, chain, due } = refund
        const claims = claimsOf(refunds.data?.claims ?? [], transaction.id, refund)
        const owed = owedIn(refunds.data?.owed ?? [], transaction.id, refund)
        // Beside the progress of the money, or below it on a phone: what can be done now.
        return (
          <div key={`${symbol} ${chain}`} className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            <CoinSteps {...{ transaction, refund, claims }} />
            <Act isDue={due !== null} {...{ chain, owed, claims, refunds, transaction, project }} />
          </div>
        )
      })}
    </section>
  )
}

interface ActProps extends RefundRailProps {
  refunds: ReturnType<typeof useRefunds>
  chain: string | null
  isDue: boolean
  /** For this purchase in the coin, with what is owed for others. */
  owed: OwedCoins | undefined
  /** Of this purchase in the coin, newest first. */
  claims: readonly RefundClaim[]
}

/** What can be done about the money of a coin, and what was. */
function Act({ chain, isDue, owed, claims, refunds, transaction, project }: ActProps) {
  const { ui } = useMessages()
  const texts = useRefundClaimTexts()
  // It stays when there is nothing left to claim, since it then shows what was claimed.
  const [claiming, setClaiming] = useState<OwedCoins | null>(null)
  const open = claims.find(isActive)
  const paid = claims.filter(({ state }) => state === 'confirmed')
  const isKnown = chain !== null
  const panel = useRef<HTMLDivElement>(null)
  useKeptFocus(panel, `${claiming !== null} ${claims.map(({ state }) => state).join(' ')}`)
  return (
    <div
      ref={panel}
      tabIndex={-1}
      className="flex min-w-0 flex-col items-start gap-3 text-14 empty:hidden"
    >
      {claiming !== null && (
        <ClaimDialog owed={owed ?? claiming} onClose={() => setClaiming(null)} />
      )}
      {paid.map((claim) => (
        <PaidClaim key={claim.id} claim={claim} />
      ))}
      {open !== undefined && <OpenClaim claim={open} />}
      {owed !== undefined && (
        <RefundAct owed={owed} former={claims[0] ?? null} onClaim={() => setClaiming(owed)} />
      )}
      {isDue && owed === undefined && open === undefined && (
        <>
          {isKnown && refunds.isPending ? (
            <Skeleton className="h-24 w-full" />
          ) : isKnown && refunds.isError ? (
            <>
              <p>{`${texts.failedToLoad}. ${texts.failedToLoadHint}`}</p>
              <Button
                variant="secondary"
                isBusy={refunds.isFetching}
                onClick={() => void refunds.refetch()}
              >
                {ui.tryAgain}
              </Button>
            </>
          ) : (
            <WriteToUs transaction={transaction} project={project} chain={chain} />
          )}
        </>
      )}
    </div>
  )
}

interface CoinStepsProps {
  transaction: Transaction
  refund: CoinRefund
  claims: readonly RefundClaim[]
}

function CoinSteps({ transaction, refund, claims }: CoinStepsProps) {
  const { refund: messages, refundDue } = useTransactionTexts()
  const stepsOfClaim = useClaimSteps()
  const { symbol, due, sent } = refund
  const isOwn = isOwnCoin(transaction, refund)
  const amountOf = (amount: string) => `${formatExact(amount)} ${symbol ?? ''}`
  const all = receivedAmount(transaction)
  const arrived = isOwn && all !== '0' ? all : refund.amount
  const isPart = arrived !== refund.amount
  const reason = isOwn ? refundReason(transaction) : 'otherCoin'
  const isUndone = reason === 'withdrawn' || reason === 'softCap'
  const rest = isUndone ? messages.goesBack : messages.unused
  const steps: ProgressStep[] = [
    {
      label: symbol === null ? messages.somethingArrived : messages.arrived(amountOf(arrived)),
      state: 'done',
    },
    {
      label: isPart ? messages.unusedPart(amountOf(refund.amount)) : rest,
      state: isUndone ? 'done' : 'failed',
      detail: messages.reasons[reason],
    },
    ...sent.map((paid): ProgressStep => ({
      label:
        symbol === null
          ? messages.somethingSent
          : messages.sent(amountOf(paid.sent_amount ?? paid.amount)),
      state: 'done',
      detail: <SentDetail refund={paid} />,
    })),
  ]
  const [newest] = claims
  const shown = claims.find(isActive) ?? (newest?.state === 'rejected' ? newest : undefined)
  if (due !== null && shown !== undefined) steps.push(...stepsOfClaim(shown))
  if (due !== null && (shown === undefined || shown.state === 'rejected')) {
    const label = symbol === null ? refundDue : messages.due(amountOf(due))
    steps.push({ label, state: 'current', mark: <Clock size={16} /> })
  }
  return <ProgressSteps label={messages.label} steps={steps} />
}

/** The transaction that sent it, for comparing with what a wallet shows. */
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

/** For a coin that the sale does not know: a person has to be asked. */
function WriteToUs({ transaction, project, chain }: RefundRailProps & { chain: string | null }) {
  const { refund: messages } = useTransactionTexts()
  const { contact_email: email } = project
  return (
    <>
      {email !== null && (
        <p>{chain === null ? messages.whereToAny : messages.whereTo(networkName({ chain }))}</p>
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
    </>
  )
}
