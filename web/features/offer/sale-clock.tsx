import { useNowMs } from '#web/lib/use-now.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useSalePanelTexts } from '#web/messages/use-sale-panel-texts.ts'
import { classNames } from '#web/ui/style/class-names.ts'

interface SaleClockProps {
  /** When the sale moves on, in words. */
  text: string
  instant: string
}

/**
 * When the sale moves on, and in how long. The latter is known only once the page runs, since the
 * server may have rendered it a while ago; its place is kept, so that nothing moves.
 */
export function SaleClock({ text, instant }: SaleClockProps) {
  const { timeLeft } = useSalePanelTexts()
  const isRunning = useNowMs() !== null
  const { days, hours, minutes, totalSeconds } = useCountdown(instant)
  const left =
    days > 0
      ? timeLeft.days(days, hours)
      : hours > 0
        ? timeLeft.hours(hours, minutes)
        : totalSeconds > 0
          ? timeLeft.minutes(Math.max(1, minutes))
          : timeLeft.soon
  return (
    <p className="tabular flex flex-wrap gap-x-2">
      <span>{text}</span>
      <span className={classNames('font-medium', !isRunning && 'invisible')}>
        {isRunning ? left : timeLeft.days(88, 88)}
      </span>
    </p>
  )
}
