import { LabelledLine } from '#web/ui/layout/list.tsx'
import { Time } from './time.tsx'

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
