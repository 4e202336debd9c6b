import { Loader, Undo2 } from 'lucide-react'
import type { Transaction } from '#contract/shapes.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { isWithdrawn, statusTones, statusWord } from './transaction-text.ts'

export function StatusChip({ transaction }: { transaction: Transaction }) {
  const texts = useTransactionTexts()
  const { status } = transaction
  return (
    <Chip
      tone={isWithdrawn(transaction) ? 'neutral' : statusTones[status]}
      {...(status === 'processing' && { icon: <Loader size={16} className="shrink-0" /> })}
    >
      {statusWord(texts, transaction)}
    </Chip>
  )
}

/** Beside the status if money is owed back: whether it is on its way, or waits for its buyer. */
export function RefundChip({ isUnderWay }: { isUnderWay: boolean }) {
  const { refundDue, refundUnderWay } = useTransactionTexts()
  return (
    <Chip tone={isUnderWay ? 'info' : 'warning'} icon={<Undo2 size={16} className="shrink-0" />}>
      {isUnderWay ? refundUnderWay : refundDue}
    </Chip>
  )
}
