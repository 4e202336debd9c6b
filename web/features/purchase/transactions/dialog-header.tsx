import type { Transaction } from '#contract/shapes.ts'
import {
  isRefundDue,
  isRefundUnclaimed,
  paymentSituation,
} from '#web/features/purchase/payment-state.ts'
import { clockText } from '#web/lib/time-left.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { arrivalOf } from './payment-figures.ts'
import { RefundChip, StatusChip } from './status-chip.tsx'

/** Beside the title: the status, the progress of the payment, and the time left to send it. */
export function DialogHeader({ transaction }: { transaction: Transaction }) {
  const state = useStateText(transaction)
  const { status, expires_date: until } = transaction
  const hasClock = status === 'pending' && until !== null
  return (
    <>
      <StatusChip transaction={transaction} />
      {isRefundDue(transaction) && <RefundChip isUnderWay={!isRefundUnclaimed(transaction)} />}
      {(state !== null || hasClock) && (
        // On a phone always on its own line, so that nothing moves when the state gets longer.
        <span className="flex flex-wrap items-baseline gap-x-3 text-14 text-quiet max-sm:basis-full sm:flex-1">
          {state !== null && <span className="tabular">{state}</span>}
          {hasClock && <TimeLeft until={until} />}
        </span>
      )}
    </>
  )
}

/** How far the payment has come, in a word or two; null if the status says it all. */
function useStateText(transaction: Transaction): string | null {
  const { states } = useTransactionTexts()
  const { status, confirmations, required_confirmations: required } = transaction
  if (paymentSituation(transaction) === 'held') return states.held
  if (status === 'processing') {
    return states.confirmations(Math.min(confirmations, required), required)
  }
  const arrival = arrivalOf(transaction)
  return arrival === null ? null : states.arrived(arrival.share)
}

function TimeLeft({ until }: { until: string }) {
  const messages = useTransactionTexts()
  const left = useCountdown(until)
  if (left.totalSeconds === 0) return <span>{messages.timeIsUp}</span>
  return (
    <span className="flex items-baseline gap-x-2 sm:ml-auto">
      <span aria-hidden="true">{messages.timeLeft}</span>
      <span
        role="timer"
        aria-label={messages.timeLeft}
        className="tabular text-16 font-strong text-ink"
      >
        {clockText(left)}
      </span>
    </span>
  )
}
