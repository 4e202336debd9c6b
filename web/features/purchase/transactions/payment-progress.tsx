import type { Transaction } from '#contract/shapes.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { type ProgressStep, ProgressSteps } from '#web/ui/feedback/progress-steps.tsx'
import { paymentSteps } from '#web/features/purchase/payment-state.ts'
import { paymentWords } from './transaction-text.ts'

/** How far the money has come, and how long there is to send it. */
export function PaymentProgress({ transaction }: { transaction: Transaction }) {
  const { steps: texts } = useTransactionTexts()
  const states = paymentSteps(transaction)
  const { confirmations, required } = paymentWords(transaction, '')
  const isOver = transaction.status === 'expired' || transaction.status === 'failed'
  const isConfirming = states.confirming === 'current' || states.confirming === 'done'
  const steps: ProgressStep[] = [
    { label: texts.seen, state: states.seen },
    {
      label: texts.confirming,
      state: states.confirming,
      ...(!isOver && {
        detail: isConfirming
          ? texts.ofConfirmations(confirmations, required)
          : texts.needs(required),
      }),
    },
    { label: texts.credited, state: states.credited },
  ]
  return (
    <div className="grid gap-x-8 gap-y-4 border-t border-hairline pt-4 sm:grid-cols-2">
      <ProgressSteps label={texts.label} steps={steps} />
      {transaction.status === 'pending' && transaction.expires_date !== null && (
        <TimeLeft until={transaction.expires_date} />
      )}
    </div>
  )
}

function TimeLeft({ until }: { until: string }) {
  const messages = useTransactionTexts()
  const { days, hours, minutes, seconds, totalSeconds } = useCountdown(until)
  const wholeHours = days * 24 + hours
  const clock = [
    ...(wholeHours > 0 ? [String(wholeHours)] : []),
    String(minutes).padStart(2, '0'),
    String(seconds).padStart(2, '0'),
  ].join(':')
  return (
    <div className="flex flex-col gap-1">
      <span className="text-14 text-quiet">{messages.timeLeft}</span>
      {totalSeconds > 0 ? (
        <span role="timer" aria-label={messages.timeLeft} className="tabular text-25 font-strong">
          {clock}
        </span>
      ) : (
        <span className="font-medium">{messages.timeOver}</span>
      )}
      <span className="text-14 text-quiet">{messages.timeHint}</span>
    </div>
  )
}
