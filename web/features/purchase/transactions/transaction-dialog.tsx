import { useEffect } from 'react'
import { SearchX } from 'lucide-react'
import type { Project, Transaction } from '#contract/shapes.ts'
import { plainDecimal } from '#domain/money.ts'
import { isPayable, paymentSituation } from '#web/features/purchase/payment-state.ts'
import { formatDate, formatExact } from '#web/lib/format/format.ts'
import { buyPath } from '#web/lib/paths.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { LinkButton, ExternalLink } from '#web/ui/actions/links.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { LabelledLine } from '#web/ui/layout/list.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { toneIcon, toneText } from '#web/ui/style/tone.tsx'
import { PaymentInstructions, preloadWalletPayment } from './payment-instructions.tsx'
import { PaymentProgress } from './payment-progress.tsx'
import { StatusChip } from './status-chip.tsx'
import { TransactionBreakdown } from './transaction-breakdown.tsx'
import { isNotFound, useTransaction } from './transaction-queries.ts'
import { paymentWords, statusTones } from './transaction-text.ts'

interface TransactionDialogProps {
  /** The transaction that is open; null where none is. */
  id: string | null
  project: Project
  onClose: () => void
}

/** One transaction, from what is to be paid to what was credited; it follows the payment live. */
export function TransactionDialog({ id, project, onClose }: TransactionDialogProps) {
  const messages = useTransactionTexts()
  const query = useTransaction(id)
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
      aside={transaction !== undefined && <StatusChip status={transaction.status} />}
    >
      {transaction !== undefined && (
        <>
          <OnPaper transaction={transaction} />
          <Content transaction={transaction} project={project} />
        </>
      )}
      {transaction === undefined && query.isError && (
        <Missing
          isUnknown={isNotFound(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      )}
      {transaction === undefined && !query.isError && <Waiting />}
    </Dialog>
  )
}

function Content({ transaction, project }: { transaction: Transaction; project: Project }) {
  const messages = useTransactionTexts()
  const { status, type, payment_token: token } = transaction
  const isOver = status === 'expired' || status === 'failed'
  if (type === 'referral') {
    const { tokens } = paymentWords(transaction, project.symbol)
    return (
      <>
        <p>{messages.rewardText({ tokens })}</p>
        <TransactionBreakdown transaction={transaction} projectSymbol={project.symbol} isOpen />
      </>
    )
  }
  return (
    <>
      <Situation transaction={transaction} projectSymbol={project.symbol} />
      {isPayable(transaction) && (
        <PaymentInstructions transaction={transaction} isSandbox={project.is_sandbox} />
      )}
      <PaymentProgress transaction={transaction} />
      {!isOver && (
        <TransactionBreakdown
          transaction={transaction}
          projectSymbol={project.symbol}
          isOpen={status === 'completed'}
        />
      )}
      <ReceiptList transaction={transaction} />
      {isOver && token !== null && (
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

/** Identifies the purchase on paper; on the screen its number is in the address of the page. */
function OnPaper({ transaction: { id, created_date: date } }: { transaction: Transaction }) {
  const messages = useTransactionTexts()
  return (
    <dl className="hidden print:block">
      <LabelledLine label={messages.id}>{id}</LabelledLine>
      <LabelledLine label={messages.date}>
        <time dateTime={date}>{formatDate(date)}</time>
      </LabelledLine>
    </dl>
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
  const { situations } = useTransactionTexts()
  const situation = paymentSituation(transaction)
  const tone = statusTones[transaction.status]
  return (
    <p role="status" data-situation={situation} className="flex items-start gap-2">
      <span className={classNames('mt-0.5', toneText[tone])}>{toneIcon(tone, 20)}</span>
      <span className="tabular min-w-0 break-words">
        {situations[situation](paymentWords(transaction, projectSymbol))}
      </span>
    </p>
  )
}

interface MissingProps {
  isUnknown: boolean
  onRetry: () => void
  isRetrying: boolean
}

function Missing({ isUnknown, onRetry, isRetrying }: MissingProps) {
  const messages = useTransactionTexts()
  if (isUnknown) {
    return (
      <EmptyState icon={<SearchX size={24} aria-hidden="true" />} title={messages.notFound}>
        {messages.notFoundHint}
      </EmptyState>
    )
  }
  return (
    <ErrorState title={messages.failedToLoad} onRetry={onRetry} isRetrying={isRetrying}>
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

/** The payments that arrived for a purchase. */
function ReceiptList({ transaction }: { transaction: Transaction }) {
  const messages = useTransactionTexts()
  const { receipts, payment_token: token } = transaction
  if (receipts.length === 0) return null
  return (
    <div className="border-t border-hairline pt-4">
      <h3 className="font-medium">{messages.receipts}</h3>
      <ul aria-label={messages.receipts}>
        {receipts.map((receipt) => (
          <li key={receipt.id} className="flex flex-wrap justify-between gap-x-4 py-1 text-14">
            <span className="tabular whitespace-nowrap">
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
