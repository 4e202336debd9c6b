import type { ReactNode } from 'react'
import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import { formatExact, formatUsd, formatUsdExact } from '#web/lib/format/format.ts'
import { formatColumn, WIRE_DECIMALS } from '#web/lib/format/token-amounts.ts'
import { unitsFromWire } from '#contract/codec.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'
import { LabelledLine } from '#web/ui/layout/card.tsx'
import { shownTokens } from '#web/features/purchase/deal.ts'
import { paidPrice } from '#web/features/purchase/payment-state.ts'
import { paidExactly } from './payment-figures.ts'
import { bonusValue, paidAmounts, tokensValue } from './transaction-text.ts'

interface TransactionBreakdownProps {
  transaction: Transaction
  projectSymbol: string
  isOpen: boolean
  /** Below the lines: what the tokens are worth. */
  children?: ReactNode
}

/** What the purchase gives, line by line. */
export function TransactionBreakdown(props: TransactionBreakdownProps) {
  const { transaction, projectSymbol, isOpen, children } = props
  const messages = useTransactionTexts()
  const buy = useBuyTexts()
  const { payment_token: token } = transaction
  const { price, isAverage } = paidPrice(transaction)
  const { fiat } = paidAmounts(transaction)
  const paid = paidExactly(transaction)
  const { shown, format } = shownTokensOf(transaction)
  const isCredited = transaction.status === 'completed'
  return (
    <div className="border-t border-hairline">
      <Disclosure
        key={transaction.status}
        title={isCredited ? messages.whatYouGot : messages.whatYouGet}
        isOpenAtFirst={isOpen}
        aside={<span className="tabular text-14">{`${format(shown.total)} ${projectSymbol}`}</span>}
      >
        <dl className="pb-2 [&>:last-child]:mt-1 [&>:last-child]:border-t [&>:last-child]:border-hairline [&>:last-child]:pt-2">
          {paid !== null && token !== null && fiat !== null && (
            <LabelledLine label={isCredited ? messages.youPaid : messages.youPay}>
              {formatUsd(fiat)} <Quiet>{`${formatExact(paid)} ${token.short_name}`}</Quiet>
            </LabelledLine>
          )}
          <LabelledLine label={isAverage ? messages.averagePrice : messages.price}>
            {formatUsdExact(formatDecimal(price, PRICE_DECIMALS))}
          </LabelledLine>
          <LabelledLine label={messages.baseTokens}>{format(shown.base)}</LabelledLine>
          {shown.lines.map((line) => (
            <LabelledLine key={line.type} label={buy.bonuses.labels[line.type]}>
              {`+ ${format(line.tokens)}`}
            </LabelledLine>
          ))}
          <LabelledLine label={messages.total} isStrong>
            {format(shown.total)}
          </LabelledLine>
        </dl>
        {children}
      </Disclosure>
    </div>
  )
}

/** Base tokens, bonuses and total as they are shown, and one format for all of them. */
export function shownTokensOf({ tokens }: Transaction) {
  const base = unitsFromWire(tokens.base, WIRE_DECIMALS)
  const shown = shownTokens(base, tokens.bonuses, WIRE_DECIMALS)
  const lines = shown.lines.map((line) => line.tokens)
  return { shown, format: formatColumn([shown.base, shown.total, ...lines]) }
}

interface TokensValueProps {
  transaction: Transaction
  projectSymbol: string
  /** The stage that the tokens come from; null if it is not known. */
  stageName: string | null
  /** Whether the tokens can be sold. */
  isReleased: boolean
}

/** What the tokens are worth at their purchase price, and how much of that was paid for. */
export function TokensValue(props: TokensValueProps) {
  const { transaction, projectSymbol, stageName, isReleased } = props
  const { value } = useTransactionTexts()
  const bonus = bonusValue(transaction)
  const hasStage = stageName !== null && !paidPrice(transaction).isAverage
  return (
    <div className="border-t border-hairline pt-2">
      <dl>
        <LabelledLine label={hasStage ? value.atStage(stageName) : value.atOwnPrice}>
          {formatUsd(tokensValue(transaction))}
        </LabelledLine>
        {bonus !== null && <LabelledLine label={value.bonus}>{formatUsd(bonus)}</LabelledLine>}
      </dl>
      {!isReleased && <p className="text-14 text-quiet">{value.notTraded(projectSymbol)}</p>}
    </div>
  )
}

function Quiet({ children }: { children: ReactNode }) {
  return <span className="tabular ml-1 text-quiet">{children}</span>
}
