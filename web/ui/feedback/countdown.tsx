import { useCountdown } from '#web/lib/use-countdown.ts'
import { useMessages } from '#web/messages/en.ts'

interface CountdownProps {
  /** The instant it counts down to. */
  until: string
  /** Names it for screen readers, which are not told every second. */
  label: string
}

/** Days, hours, minutes and seconds left. */
export function Countdown({ until, label }: CountdownProps) {
  const left = useCountdown(until)
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
      className="flex min-h-[57px] max-w-80 justify-between gap-2"
    >
      {units.map((unit) => (
        <span key={unit.name} className="flex flex-col">
          <span className="tabular text-31 font-strong">{String(unit.value).padStart(2, '0')}</span>
          <span className="text-14 text-quiet">{unit.name}</span>
        </span>
      ))}
    </div>
  )
}
