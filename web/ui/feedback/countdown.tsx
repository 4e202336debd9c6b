import { useCountdown } from '#web/lib/use-countdown.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/style/class-names.ts'

interface CountdownProps {
  /** The instant it counts down to, as `useCountdown` takes it. */
  until: string | number
  /** Names it for screen readers, which do not announce every second. */
  label: string
  /** On wide windows it fills the height of what is beside it. */
  isTall?: boolean
  onFinish?: () => void
}

/** Days, hours, minutes and seconds left, once a second. */
export function Countdown({ until, label, isTall = false, onFinish }: CountdownProps) {
  const left = useCountdown(until, onFinish)
  const { ui } = useMessages()
  const units = [
    { name: ui.days, value: left.days },
    { name: ui.hours, value: left.hours },
    { name: ui.minutes, value: left.minutes },
    { name: ui.seconds, value: left.seconds },
  ]
  return (
    <div
      role="timer"
      aria-label={label}
      className={classNames(
        'flex min-h-[3.5625rem] w-80 max-w-full flex-wrap justify-between gap-x-2 gap-y-2',
        isTall && 'md:grid md:w-full md:flex-1 md:grid-cols-2 md:content-evenly md:gap-y-4',
      )}
    >
      {units.map((unit) => (
        <span key={unit.name} className="flex flex-col">
          <span
            className={classNames(
              'tabular font-display text-31 font-strong',
              isTall && 'md:text-61',
            )}
          >
            {String(unit.value).padStart(2, '0')}
          </span>
          <span className={classNames('text-12 text-quiet xl:text-14', isTall && 'md:text-14')}>
            {unit.name}
          </span>
        </span>
      ))}
    </div>
  )
}
