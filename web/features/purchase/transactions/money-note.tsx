import type { ReactNode } from 'react'
import type { Transaction } from '#contract/shapes.ts'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { useSecondsLeft } from '#web/lib/use-seconds-left.ts'
import { useTransactionListTexts } from '#web/messages/use-transaction-list-texts.ts'
import { arrivalOf } from './payment-figures.ts'
import { moneyState } from './transaction-text.ts'

const MINUTE_SECONDS = 60

/** The state of a transaction's money, in a few words below its status. */
export function MoneyNote({ transaction }: { transaction: Transaction }) {
  const texts = useTransactionListTexts()
  const state = moneyState(transaction)
  const { created_date: made, expires_date: until } = transaction
  const { confirmations, required_confirmations: required } = transaction
  switch (state) {
    case null:
      return null
    case 'refundDue':
      return <span className="text-14 text-warning">{texts.refundDue}</span>
    case 'refundUnderWay':
      return <Quiet>{texts.refundUnderWay}</Quiet>
    case 'refunded':
      return <Quiet>{texts.refunded}</Quiet>
    case 'held':
      return <Quiet>{texts.held}</Quiet>
    case 'confirming':
      return <Quiet>{texts.confirmations(Math.min(confirmations, required), required)}</Quiet>
    case 'arriving':
      return (
        <Quiet>
          {texts.arrived(arrivalOf(transaction)?.share ?? '0%')}
          {until !== null && (
            <>
              {' · '}
              <TimeLeft from={made} until={until} />
            </>
          )}
        </Quiet>
      )
    case 'waiting':
      return until === null ? null : (
        <Quiet>
          <TimeLeft from={made} until={until} />
        </Quiet>
      )
  }
}

/** In started minutes, since nobody needs the seconds in a list. */
function TimeLeft({ from, until }: { from: string; until: string }) {
  const texts = useTransactionListTexts()
  const secondsMax = (Date.parse(until) - Date.parse(from)) / 1000
  const minutes = Math.ceil(useSecondsLeft(onThisClock(until), secondsMax) / MINUTE_SECONDS)
  if (minutes === 0) return texts.timeOver
  return (
    <span className="whitespace-nowrap">
      {texts.timeLeft(Math.floor(minutes / 60), minutes % 60)}
    </span>
  )
}

function Quiet({ children }: { children: ReactNode }) {
  return <span className="tabular text-14 text-quiet">{children}</span>
}
