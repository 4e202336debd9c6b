import type { ReactNode } from 'react'
import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import { formatNumber, formatUsd, formatUsdExact } from '#web/lib/format/format.ts'
import { formatColumn, WIRE_DECIMALS } from '#web/lib/format/token-amounts.ts'
import { unitsFromWire } from '#contract/codec.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'
import { LabelledLine } from '#web/ui/layout/list.tsx'
import { shownTokens } from '#web/features/purchase/deal.ts'
import { paidAmounts, paidPrice } from './transaction-text.ts'

interface TransactionBreakdownProps {
  transaction: Transaction
  projectSymbol: string
  isOpen: boolean
}

/** What the purchase gives, line by line. */
export function TransactionBreakdown(props: TransactionBreakdownProps) {
  const { transaction, projectSymbol, isOpen } = props
  const messages = useTransactionTexts()
  const buy = useBuyTexts()
  const { tokens, payment_token: token } = transaction
  const { price, isAverage } = paidPrice(transaction)
  const { crypto, fiat } = paidAmounts(transaction)
  const shown = shownTokens(
    unitsFromWire(tokens.base, WIRE_DECIMALS),
    tokens.bonuses,
    WIRE_DECIMALS,
  )
  const format = formatColumn([shown.base, shown.total, ...shown.lines.map((line) => line.tokens)])
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
          {crypto !== null && token !== null && fiat !== null && (
            <LabelledLine label={isCredited ? messages.paid : messages.youPay}>
              {`${formatNumber(crypto)} ${token.short_name}`} <Quiet>{formatUsd(fiat)}</Quiet>
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
      </Disclosure>
    </div>
  )
}

function Quiet({ children }: { children: ReactNode }) {
  return <span className="tabular text-quiet">{children}</span>
}
