import type { Transaction } from '#contract/shapes.ts'
import { formatDate, formatExact } from '#web/lib/format/format.ts'
import { useTransactionTexts } from '#web/messages/en/transaction.ts'
import { ExternalLink } from '#web/ui/actions/text-link.tsx'

/** The payments that arrived for a purchase. */
export function ReceiptList({ transaction }: { transaction: Transaction }) {
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
