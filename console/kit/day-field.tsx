import { TextField } from '#web/ui/fields/text-field.tsx'

interface DayFieldProps {
  label: string
  value: string | undefined
  onChange: (day: string | null) => void
}

/** A filter by day; gets null once it is emptied. */
export function DayField({ label, value = '', onChange }: DayFieldProps) {
  return (
    <TextField
      label={label}
      type="date"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}
