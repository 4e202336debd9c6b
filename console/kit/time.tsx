import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const utc = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
})
const formats = { day, minute, time: clock } as const
const since = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

interface TimeProps {
  /** As the API has it, in UTC. */
  value: string
  /** `time`: without its day; `age`: how long ago or ahead, by the minute. */
  as?: 'day' | 'minute' | 'time' | 'age'
}

/** An instant in the reader's own time zone, with UTC in a tooltip. */
export function Time({ value, as = 'minute' }: TimeProps) {
  const date = new Date(value)
  return (
    <time dateTime={value} title={`${utc.format(date)} UTC`} className="tabular whitespace-nowrap">
      {as === 'age' ? <Age date={date} /> : formats[as].format(date)}
    </time>
  )
}

function Age({ date }: { date: Date }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return formatAge(date, now)
}

/** `5 min. ago`, `in 2 days`: in the largest unit of which there is at least one. */
export function formatAge(date: Date, nowMs: number): string {
  const minutes = Math.round((date.getTime() - nowMs) / MINUTE_MS)
  if (minutes === 0) return 'now'
  if (Math.abs(minutes) < 60) return since.format(minutes, 'minute')
  const hours = Math.trunc(minutes / 60)
  if (Math.abs(hours) < 48) return since.format(hours, 'hour')
  return since.format(Math.trunc(hours / 24), 'day')
}
