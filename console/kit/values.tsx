import { useEffect, useState, type ReactNode } from 'react'
import { useMay } from '#console/session/self.ts'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { LabelledLine } from '#web/ui/layout/card.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'
import type { Column } from './table.tsx'

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
  /** As the API has it, in UTC; null for what has not happened. */
  value: string | null
  /** In the place of what has not happened. */
  none?: string
  /** `time`: without its day; `age`: how long ago or ahead, by the minute. */
  as?: 'day' | 'minute' | 'time' | 'age'
}

export function utcText(value: string): string {
  return `${utc.format(new Date(value))} UTC`
}

/** An instant in the reader's own time zone, with UTC in a tooltip. */
export function Time({ value, none = '–', as = 'minute' }: TimeProps) {
  if (value === null) return none
  const date = new Date(value)
  return (
    <time dateTime={value} title={utcText(value)} className="tabular whitespace-nowrap">
      {as === 'age' ? <Age value={value} /> : formats[as].format(date)}
    </time>
  )
}

function Age({ value }: { value: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return formatAge(onThisClock(value), now)
}

/** `5 min. ago`, `in 2 days`: in the largest unit of which there is at least one. */
function formatAge(ms: number, nowMs: number): string {
  const minutes = Math.round((ms - nowMs) / MINUTE_MS)
  if (minutes === 0) return 'now'
  if (Math.abs(minutes) < 60) return since.format(minutes, 'minute')
  const hours = Math.trunc(minutes / 60)
  if (Math.abs(hours) < 48) return since.format(hours, 'hour')
  return since.format(Math.trunc(hours / 24), 'day')
}

interface DateLineProps {
  label: string
  /** Null for what has not happened: it has no line. */
  date: string | null
}

export function DateLine({ label, date }: DateLineProps) {
  if (date === null) return null
  return (
    <LabelledLine label={label}>
      <Time value={date} />
    </LabelledLine>
  )
}

/** A name, and below it what is too long to stand beside it. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-14 text-quiet">{label}</span>
      {children}
    </div>
  )
}

interface LinkedProps {
  to: string
  label: string
  children: ReactNode
}

/** A state with the way to what it depends on. */
export function Linked({ to, label, children }: LinkedProps) {
  return (
    <span className="flex flex-col items-start gap-1 max-md:items-end">
      {children}
      <TextLink to={to}>{label}</TextLink>
    </span>
  )
}

/** Somebody's address in a list; one that is too long is cut. */
export function Email({ address }: { address: string }) {
  return (
    <span title={address} className="block truncate md:max-w-48 xl:max-w-56">
      {address}
    </span>
  )
}

interface CopiedProps {
  label: string
  value: string
}

/** An address or a root to copy, in groups of four, as people compare it. */
export function CopiedAddress({ label, value }: CopiedProps) {
  return (
    <CopyField label={label} value={value}>
      <AddressText value={value} />
    </CopyField>
  )
}

interface CopiedHashProps extends CopiedProps {
  /** At the right of the label. */
  aside?: ReactNode
}

/** A hash to copy, which nobody reads. */
export function CopiedHash({ value, ...rest }: CopiedHashProps) {
  return (
    <CopyField value={value} {...rest}>
      <span className="font-mono text-12 break-all">{value}</span>
    </CopyField>
  )
}

interface CoinNameProps {
  coin: { short_name: string; chain: string }
}

/** A coin and its network, which is named only where it is not the coin's own. */
export function CoinName({ coin: { short_name: name, chain } }: CoinNameProps) {
  return (
    <>
      {name} {chain !== name && <span className="text-quiet">{chain}</span>}
    </>
  )
}

/** What is at stake, in dollars; null if a price of it is not known. */
export const stakeText = (usd: string | null) =>
  usd === null ? 'Dollar value unknown' : formatUsd(usd)

export function StakeLine({ usd }: { usd: string | null }) {
  return (
    <LabelledLine label="At stake" isStrong>
      {stakeText(usd)}
    </LabelledLine>
  )
}

export const stakeColumn: Column<{ amount_fiat: string | null }> = {
  header: 'At stake',
  isNumber: true,
  cell: ({ amount_fiat: usd }) => (usd === null ? '–' : formatUsd(usd)),
}

export type StateLook = readonly [tone: Tone, word: string]

export function StateChip({ look: [tone, word] }: { look: StateLook }) {
  return <Chip tone={tone}>{word}</Chip>
}

/** Somebody's address, which leads to their page for people who may see it. */
export function PersonLink({ user: { id, email } }: { user: { id: string; email: string } }) {
  return useMay('people.read') ? <TextLink to={`/people/${id}`}>{email}</TextLink> : email
}
