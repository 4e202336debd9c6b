import { useEffect } from 'react'
import type { Project, Transaction } from '#contract/shapes.ts'
import { plainDecimal } from '#domain/money.ts'
import { isPayable, paymentSituation } from '#web/features/purchase/payment-state.ts'
import { useIsTimeUp } from '#web/features/purchase/use-is-time-up.ts'
import { formatDate, formatExact } from '#web/lib/format/format.ts'
import { buyPath } from '#web/lib/paths.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useIsPrinting } from '#web/lib/use-is-printing.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { LinkButton, ExternalLink } from '#web/ui/actions.tsx'
import { NothingFoundDrawing } from '#web/ui/feedback/drawings.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { toneIcon, toneText } from '#web/ui/style/tone.tsx'
import { CompletionPanel, NextSteps, PrintButton } from './completion.tsx'
import { DialogHeader } from './dialog-header.tsx'
import type { DialogSlots } from './dialog-slots.ts'
import { HelpLine } from './help-line.tsx'
import { paymentWords } from './payment-figures.ts'
import { PaymentInstructions, preloadWalletPayment } from './payment-instructions.tsx'
import { ArrivedBar, PaymentProgress, PaymentSteps } from './payment-progress.tsx'
import { ReceiptPaper } from './receipt-paper.tsx'
import { RefundRail } from './refund-rail.tsx'
import { TokensValue, TransactionBreakdown } from './transaction-breakdown.tsx'
import { isNotFound, useTransaction } from './transaction-queries.ts'
import { statusTones } from './transaction-text.ts'
import { Withdrawal } from './withdrawal.tsx'

interface TransactionDialogProps {
  /** The transaction that is open; null if none is. */
  id: string | null
  project: Project
  slots: DialogSlots
  onClose: () => void
}

/** One transaction, from what is to be paid to what was credited, updated live. */
export function TransactionDialog({ id, project, slots, onClose }: TransactionDialogProps) {
  const messages = useTransactionTexts()
  const query = useTransaction(id)
  const isPrinting = useIsPrinting()
  const transaction = query.data
  const mayPay = id !== null && !project.is_sandbox
  useEffect(() => {
    if (mayPay) preloadWalletPayment()
  }, [mayPay])
  return (
    <Dialog
      isOpen={id !== null}
      onClose={onClose}
      closesOnBack={false}
      title={messages.title}
      size="wide"
      aside={transaction !== undefined && <DialogHeader transaction={transaction} />}
    >
      {transaction !== undefined && (
        <>
          {isPrinting && (
            <ReceiptPaper
              transaction={transaction}
              project={project}
              releaseLine={slots.releaseLine}
            />
          )}
          <div className="contents print:hidden">
            <Content transaction={transaction} project={project} slots={slots} />
          </div>
        </>
      )}
      {transaction === undefined && query.isError && <Missing query={query} />}
      {transaction === undefined && !query.isError && <Waiting />}
    </Dialog>
  )
}

interface ContentProps {
  transaction: Transaction
  project: Project
  slots: DialogSlots
}

function Content({ transaction, project, slots }: ContentProps) {
  const messages = useTransactionTexts()
  const { type, status } = transaction
  const isOver = status === 'expired' || status === 'failed'
  if (type === 'referral') {
    const { tokens } = paymentWords(transaction, project.symbol)
    return (
      <>
        <p>{isOver ? messages.rewardTakenBack : messages.rewardText({ tokens })}</p>
        {status === 'completed' && (
          <>
            <TransactionBreakdown transaction={transaction} projectSymbol={project.symbol} isOpen />
            {slots.proof}
          </>
        )}
      </>
    )
  }
  return (
    <>
      <Situation transaction={transaction} projectSymbol={project.symbol} />
      {status === 'completed' ? (
        <Completed transaction={transaction} project={project} slots={slots} />
      ) : (
        <UnderWayOrOver transaction={transaction} project={project} isOnSale={slots.isOnSale} />
      )}
      <Withdrawal transaction={transaction} projectSymbol={project.symbol} />
      <HelpLine transaction={transaction} email={project.contact_email}>
        {isOver && transaction.receipts.length > 0 && <PrintButton />}
      </HelpLine>
    </>
  )
}

/** What comes next, what was paid and received, and last the steps of the payment. */
function Completed({ transaction, project, slots }: ContentProps) {
  const hasRefunds = transaction.refunds.length > 0
  const untilRelease = useCountdown(slots.releasedFrom?.getTime() ?? null)
  return (
    <>
      {hasRefunds && <RefundRail transaction={transaction} project={project} />}
      <NextSteps transaction={transaction} slots={slots} />
      {slots.releases}
      <TransactionBreakdown transaction={transaction} projectSymbol={project.symbol} isOpen>
        <TokensValue
          transaction={transaction}
          projectSymbol={project.symbol}
          stageName={slots.stageNameOf(transaction.stage_id)}
          isReleased={untilRelease.totalSeconds === 0}
        />
      </TransactionBreakdown>
      <div className="grid gap-x-8 gap-y-4 border-t border-hairline pt-4 sm:grid-cols-2">
        <PaymentSteps transaction={transaction} />
        <ReceiptList transaction={transaction} />
      </div>
      {slots.proof}
    </>
  )
}

interface UnderWayOrOverProps extends Omit<ContentProps, 'slots'> {
  isOnSale: boolean
}

function UnderWayOrOver({ transaction, project, isOnSale }: UnderWayOrOverProps) {
  const messages = useTransactionTexts()
  const { status, status_reason: reason, refunds, payment_token: token } = transaction
  const isOver = status === 'expired' || status === 'failed'
  const hasRefunds = refunds.length > 0
  // What came late, is too little or is under review may buy fewer tokens than were agreed.
  const isAgreed = status === 'pending' || reason === null || reason === 'reorged'
  return (
    <>
      <ArrivedBar transaction={transaction} />
      {isPayable(transaction) && (
        <PaymentInstructions transaction={transaction} isSandbox={project.is_sandbox} />
      )}
      {!(isOver && hasRefunds) && <PaymentProgress transaction={transaction} />}
      {hasRefunds && <RefundRail transaction={transaction} project={project} />}
      {!isOver && isAgreed && (
        <TransactionBreakdown
          transaction={transaction}
          projectSymbol={project.symbol}
          isOpen={false}
        />
      )}
      {transaction.receipts.length > 0 && (
        <div className="border-t border-hairline pt-4">
          <ReceiptList transaction={transaction} />
        </div>
      )}
      {isOver && isOnSale && token !== null && (
        <LinkButton
          to={buyPath({
            usd_amount: plainDecimal(transaction.initial_purchase_amount_fiat ?? 0),
            token_id: token.id,
          })}
          replace
          variant="secondary"
          isFullWidth
        >
          {messages.buyAgain}
        </LinkButton>
      )}
    </>
  )
}

/** The state of the payment in a sentence; changes are announced to screen readers. */
function Situation({
  transaction,
  projectSymbol,
}: {
  transaction: Transaction
  projectSymbol: string
}) {
  const { situations, timeOver } = useTransactionTexts()
  const situation = paymentSituation(transaction)
  const tone = statusTones[transaction.status]
  const sentence = useIsTimeUp(transaction)
    ? timeOver
    : situations[situation](paymentWords(transaction, projectSymbol))
  return (
    <div role="status" data-situation={situation}>
      {transaction.status === 'completed' ? (
        <CompletionPanel transaction={transaction} projectSymbol={projectSymbol}>
          {sentence}
        </CompletionPanel>
      ) : (
        <p className="flex items-start gap-2">
          <span className={classNames('mt-0.5', toneText[tone])}>{toneIcon(tone, 20)}</span>
          <span className="tabular min-w-0 break-words">{sentence}</span>
        </p>
      )}
    </div>
  )
}

function Missing({ query }: { query: ReturnType<typeof useTransaction> }) {
  const messages = useTransactionTexts()
  if (isNotFound(query.error)) {
    return (
      <EmptyState icon={<NothingFoundDrawing />} title={messages.notFound}>
        {messages.notFoundHint}
      </EmptyState>
    )
  }
  return (
    <ErrorState title={messages.failedToLoad} query={query}>
      {messages.failedToLoadHint}
    </ErrorState>
  )
}

function Waiting() {
  const messages = useTransactionTexts()
  return (
    <div role="status" aria-label={messages.loading} className="flex flex-col gap-4">
      <Skeleton className="h-6 w-3/4" />
      <Skeleton className="h-28" />
      <Skeleton className="h-16" />
      <Skeleton className="h-48" />
    </div>
  )
}

function ReceiptList({ transaction }: { transaction: Transaction }) {
  const messages = useTransactionTexts()
  const { receipts, payment_token: token } = transaction
  return (
    <div>
      <h3 className="font-medium">{messages.receipts}</h3>
      <ul aria-label={messages.receipts}>
        {receipts.map((receipt) => (
          <li key={receipt.id} className="flex flex-wrap justify-between gap-x-4 py-1 text-14">
            <span className="tabular wrap-anywhere">
              {`${formatExact(receipt.amount)} ${token?.short_name ?? ''}`}
            </span>
            <span className="tabular text-quiet">{formatDate(receipt.seen_date)}</span>
            {receipt.explorer_url !== null && (
              <ExternalLink href={receipt.explorer_url}>{messages.explorer}</ExternalLink>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
