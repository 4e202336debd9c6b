import { Loader, Undo2 } from 'lucide-react'
import type { TransactionStatus } from '#contract/shapes.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { statusTones } from './transaction-text.ts'

/** The status of a transaction: a colour, an icon and a word. */
export function StatusChip({ status }: { status: TransactionStatus }) {
  const transaction = useTransactionTexts()
  return (
    <Chip
      tone={statusTones[status]}
      {...(status === 'processing' && {
        icon: <Loader size={16} aria-hidden="true" className="shrink-0" />,
      })}
    >
      {transaction.statuses[status]}
    </Chip>
  )
}

/** Beside the status where money is owed back. */
export function RefundDueChip() {
  const { refundDue } = useTransactionTexts()
  return (
    <Chip tone="warning" icon={<Undo2 size={16} aria-hidden="true" className="shrink-0" />}>
      {refundDue}
    </Chip>
  )
}
