import type { ReactNode } from 'react'
import type { Project, Transaction } from '#contract/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { formatDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { formatExact, formatUsd, formatUsdExact, localDates } from '#web/lib/format/format.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { LabelledLine } from '#web/ui/layout/card.tsx'
import { paidPrice } from '#web/features/purchase/payment-state.ts'
import { paidExactly } from './payment-figures.ts'
import { shownTokensOf } from './transaction-breakdown.tsx'
import { isLost, paidAmounts, statusWord } from './transaction-text.ts'

interface ReceiptPaperProps {
  transaction: Transaction
  project: Project
  /** When the tokens are released; null if the sale has no plan. */
  releaseLine: ReactNode
}

/** Everything that somebody keeps of a purchase, for print only. */
export function ReceiptPaper({ transaction, project, releaseLine }: ReceiptPaperProps) {
  const { paper } = useTransactionTexts()
  const saleText = useSaleText(project)
  const { type, status, receipts, refunds } = transaction
  const hasTokens = !isLost(transaction)
  const title = type === 'referral' ? paper.reward : paper.purchase
  return (
    <article data-paper className="hidden text-14 print:block">
      <header className="flex items-center justify-between gap-4 border-b border-ink pb-4">
        <span className="flex items-center gap-3 text-20 font-strong">
          <Mark className="size-8" />
          {project.name}
        </span>
        <span className="text-right">
          <span className="block text-25 font-strong">
            {status === 'completed' && type === 'purchase' ? paper.receipt : title}
          </span>
          <span className="tabular block">{purchaseNumber(transaction.id)}</span>
        </span>
      </header>
      <div className="grid grid-cols-2 gap-8 pt-4">
        <Seller project={project} />
        <Buyer />
      </div>
      <Facts transaction={transaction} />
      {type === 'purchase' && <Payment transaction={transaction} />}
      {receipts.length > 0 && <Receipts transaction={transaction} />}
      {hasTokens && <Tokens transaction={transaction} projectSymbol={project.symbol} />}
      {refunds.length > 0 && <Refunds transaction={transaction} />}
      {hasTokens && releaseLine !== null && <Part title={paper.release}>{releaseLine}</Part>}
      {project.risk !== null && <Part title={paper.risk}>{saleText(project.risk.statement)}</Part>}
      <footer className="mt-6 flex justify-between gap-4 border-t border-hairline pt-2 text-12 text-quiet">
        <span>{paper.writtenBy(project.frontend_url)}</span>
        <span>{project.contact_email}</span>
      </footer>
    </article>
  )
}

/** A part of the paper, never torn at the end of a sheet. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="break-inside-avoid pt-4">
      <h3 className="border-b border-hairline pb-1 font-strong">{title}</h3>
      <div className="pt-1">{children}</div>
    </section>
  )
}

function Seller({ project }: { project: Project }) {
  const { paper } = useTransactionTexts()
  const saleText = useSaleText(project)
  const { name, seller } = project
  return (
    <div>
      <h3 className="text-12 text-quiet">{paper.soldBy}</h3>
      <p className="font-strong">{seller === null ? name : saleText(seller.name)}</p>
      {seller !== null && <p>{saleText(seller.place)}</p>}
      {seller?.registration != null && <p>{paper.registration(seller.registration)}</p>}
    </div>
  )
}

function Buyer() {
  const { paper } = useTransactionTexts()
  const user = useUser()
  return (
    <div>
      <h3 className="text-12 text-quiet">{paper.boughtBy}</h3>
      <p className="font-strong">{`${user?.first_name ?? ''} ${user?.last_name ?? ''}`}</p>
      <p>{user?.email}</p>
    </div>
  )
}

const zonedDate = localDates({ dateStyle: 'medium', timeStyle: 'long' })
const utcDate = localDates({ dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' })
const utcDay = localDates({ dateStyle: 'long', timeZone: 'UTC' })

/** In the reader's time zone, and also in UTC, which chains use, if that differs. */
function Instant({ at }: { at: string }) {
  const date = new Date(at)
  const local = zonedDate(date)
  const utc = utcDate(date)
  return <time dateTime={at}>{local === utc ? utc : `${local} (${utc})`}</time>
}

function Facts({ transaction }: { transaction: Transaction }) {
  const texts = useTransactionTexts()
  const { paper } = texts
  const { id, created_date: created, completed_date: completed } = transaction
  const { terms_date: termsDate } = transaction
  return (
    <dl className="pt-4">
      <LabelledLine label={paper.id}>{id}</LabelledLine>
      <LabelledLine label={paper.status}>{statusWord(texts, transaction)}</LabelledLine>
      <LabelledLine label={paper.created}>
        <Instant at={created} />
      </LabelledLine>
      {completed !== null && (
        <LabelledLine label={paper.completed}>
          <Instant at={completed} />
        </LabelledLine>
      )}
      {termsDate !== null && (
        <LabelledLine label={paper.terms}>{utcDay(new Date(termsDate))}</LabelledLine>
      )}
    </dl>
  )
}

function Payment({ transaction }: { transaction: Transaction }) {
  const { paper } = useTransactionTexts()
  const { status, payment_token: token, payment_address: address } = transaction
  const { fiat } = paidAmounts(transaction)
  const paid = paidExactly(transaction)
  if (token === null || paid === null) return null
  return (
    <Part title={paper.payment}>
      <dl>
        <LabelledLine label={status === 'completed' ? paper.paid : paper.asked} isStrong>
          {`${formatExact(paid)} ${token.short_name}`}
        </LabelledLine>
        {fiat !== null && <LabelledLine label={paper.inDollars}>{formatUsd(fiat)}</LabelledLine>}
        <LabelledLine label={paper.network}>{networkName(token)}</LabelledLine>
        <LabelledLine label={paper.address}>
          <span className="font-mono text-12 wrap-anywhere">{address}</span>
        </LabelledLine>
      </dl>
    </Part>
  )
}

function Receipts({ transaction }: { transaction: Transaction }) {
  const { paper, receipts: title } = useTransactionTexts()
  const symbol = transaction.payment_token?.short_name ?? ''
  return (
    <Part title={title}>
      {transaction.receipts.map((receipt) => (
        <dl key={receipt.id} className="not-last:mb-2">
          <LabelledLine label={paper.received}>
            {`${formatExact(receipt.amount)} ${symbol}, `}
            <Instant at={receipt.seen_date} />
          </LabelledLine>
          <Hash hash={receipt.transaction_hash} url={receipt.explorer_url} />
        </dl>
      ))}
    </Part>
  )
}

/** On paper a link is shown as its address. */
function Hash({ hash, url }: { hash: string | null; url: string | null }) {
  const { paper } = useTransactionTexts()
  if (hash === null && url === null) return null
  return (
    <div className="py-1">
      <dt className="text-quiet">{paper.hash}</dt>
      <dd className="font-mono text-12 wrap-anywhere">{hash}</dd>
      {url !== null && <dd className="text-12 wrap-anywhere text-quiet">{url}</dd>}
    </div>
  )
}

interface TokensProps {
  transaction: Transaction
  projectSymbol: string
}

function Tokens({ transaction, projectSymbol }: TokensProps) {
  const messages = useTransactionTexts()
  const { bonuses } = useBuyTexts()
  const { price, isAverage } = paidPrice(transaction)
  const { shown, format } = shownTokensOf(transaction)
  return (
    <Part title={messages.paper.tokens}>
      <dl>
        <LabelledLine label={isAverage ? messages.averagePrice : messages.price}>
          {formatUsdExact(formatDecimal(price, PRICE_DECIMALS))}
        </LabelledLine>
        <LabelledLine label={messages.baseTokens}>{format(shown.base)}</LabelledLine>
        {shown.lines.map((line) => (
          <LabelledLine key={line.type} label={bonuses.labels[line.type]}>
            {`+ ${format(line.tokens)}`}
          </LabelledLine>
        ))}
        <LabelledLine label={messages.total} isStrong>
          {`${format(shown.total)} ${projectSymbol}`}
        </LabelledLine>
      </dl>
    </Part>
  )
}

function Refunds({ transaction }: { transaction: Transaction }) {
  const { paper } = useTransactionTexts()
  return (
    <Part title={paper.refunds}>
      {transaction.refunds.map((refund, index) => (
        <dl key={index}>
          <LabelledLine label={refund.status === 'due' ? paper.refundDue : paper.refundSent}>
            {refund.symbol === null
              ? paper.unknownCoin
              : `${formatExact(refund.sent_amount ?? refund.amount)} ${refund.symbol}`}
          </LabelledLine>
          <Hash hash={refund.transaction_hash} url={refund.explorer_url} />
        </dl>
      ))}
    </Part>
  )
}
