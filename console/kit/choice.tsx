import { Select } from '#web/ui/fields/select.tsx'

interface ChoiceProps {
  label: string
  /** The text for no choice: 'All statuses'. */
  all: string
  options: readonly { id: string; label: string }[]
  value: string | undefined
  /** Gets null for no choice. */
  onChange: (id: string | null) => void
}

const ALL = '-'

export function Choice({ label, all, options, value, onChange }: ChoiceProps) {
  const shown = options.find(({ id }) => id === value)?.label ?? value ?? all
  return (
    <Select
      label={label}
      value={value ?? ALL}
      shown={shown}
      groups={() => [{ title: label, options: [{ id: ALL, label: all }, ...options] }]}
      onChange={(id) => onChange(id === ALL ? null : id)}
    />
  )
}
