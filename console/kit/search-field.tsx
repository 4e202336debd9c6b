import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'

interface SearchFieldProps {
  label: string
  hint: string
  value: string | undefined
  /** Gets what was typed once somebody pauses; null if nothing is left. */
  onChange: (text: string | null) => void
  error?: string | undefined
}

const PAUSE_MS = 350

export function SearchField({ label, hint, value = '', onChange, error }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const settled = useDebounced(typed, PAUSE_MS)
  // Changed by something else than this field: by its list's button that clears all filters.
  if (value !== known) {
    setKnown(value)
    if (value !== settled.trim()) setTyped(value)
  }
  const search = useEffectEvent((text: string) => {
    if (text.trim() !== value) onChange(text.trim() || null)
  })
  useEffect(() => search(settled), [settled])
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      keepsErrorLine={false}
      type="search"
      value={typed}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      maxLength={254}
      prefix={<Search size={20} />}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
