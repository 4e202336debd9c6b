import type { Transaction } from '#contract/shapes.ts'
import {
  paymentSituation,
  type PaymentStep,
  paymentSteps,
} from '#web/features/purchase/payment-state.ts'
import { formatExact, localDates } from '#web/lib/format/format.ts'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { type ProgressStep, ProgressSteps } from '#web/ui/feedback/progress-steps.tsx'
import { arrivalOf, paymentWords } from './payment-figures.ts'

/** The progress of the money, and until the time to send it is over, what happens then. */
export function PaymentProgress({ transaction }: { transaction: Transaction }) {
  const { timeHint, restTooSmallHint } = useTransactionTexts()
  return (
    <div className="grid gap-x-8 gap-y-4 border-t border-hairline pt-4 sm:grid-cols-2">
      <PaymentSteps transaction={transaction} />
      {transaction.status === 'pending' && transaction.expires_date !== null && (
        <TimeHint until={transaction.expires_date}>
          {paymentSituation(transaction) === 'restTooSmall'
            ? restTooSmallHint
            : timeHint(arrivalOf(transaction) !== null)}
        </TimeHint>
      )}
    </div>
  )
}

export function PaymentSteps({ transaction }: { transaction: Transaction }) {
  const { steps: texts } = useTransactionTexts()
  const states = paymentSteps(transaction)
  const { confirmations, required } = paymentWords(transaction, '')
  const isOver = transaction.status === 'expired' || transaction.status === 'failed'
  const isConfirming = states.confirming === 'current' || states.confirming === 'done'
  const steps: ProgressStep[] = [
    { label: useFirstLabel(transaction, states.seen), state: states.seen },
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
  return <ProgressSteps label={texts.label} steps={steps} />
}

/** Says that the payment was seen only if all of it was. */
function useFirstLabel(
  transaction: Transaction,
  state: ReturnType<typeof paymentSteps>[PaymentStep],
): string {
  const { steps } = useTransactionTexts()
  const situation = paymentSituation(transaction)
  if (state === 'done' || situation === 'restTooSmall') return steps.seen
  if (state === 'failed') return steps.notSeen
  return situation === 'rest' ? steps.waitingForRest : steps.waiting
}

const clockTime = localDates({ hour: 'numeric', minute: '2-digit' })
const dayAndTime = localDates({ dateStyle: 'medium', timeStyle: 'short' })

/** Until when the price is held, and what happens then, said in advance; nothing afterwards. */
function TimeHint({ until, children }: { until: string; children: string }) {
  const messages = useTransactionTexts()
  const untilMs = onThisClock(until)
  const { days, hours, totalSeconds } = useCountdown(untilMs)
  if (totalSeconds === 0) return null
  const isSoon = days === 0 && hours < 12
  const instant = (isSoon ? clockTime : dayAndTime)(untilMs)
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium">{messages.priceHeld(instant)}</p>
      <p className="text-14 text-quiet">{children}</p>
    </div>
  )
}

/** How much of the amount due has arrived, as a bar; nothing until something has. */
export function ArrivedBar({ transaction }: { transaction: Transaction }) {
  const { arrivedOf } = useTransactionTexts()
  const arrival = arrivalOf(transaction)
  if (arrival === null) return null
  const symbol = transaction.payment_token?.short_name ?? ''
  const text = arrivedOf(formatExact(arrival.received), `${formatExact(arrival.whole)} ${symbol}`)
  return (
    <div className="flex flex-col gap-2">
      <div
        aria-hidden="true"
        className="h-2 overflow-hidden rounded-pill bg-edge/50 forced-color-adjust-none"
      >
        <div
          className="h-full min-w-1 rounded-pill bg-accent transition-[width]"
          style={{ width: `${arrival.percent}%` }}
        />
      </div>
      <p className="tabular text-14 text-quiet" data-arrived={arrival.percent}>
        {text}
      </p>
    </div>
  )
}
