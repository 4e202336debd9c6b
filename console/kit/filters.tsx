import { useSearchParams } from 'react-router'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { Select } from '#web/ui/fields/select.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

/**
 * The filters of a table, kept in the address, so that going back, reloading and sharing the link
 * show the same. An empty one is left out of the address. Changing one goes back to the first page.
 */
export function useFilters<const Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams()
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const value = params.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  ) as Partial<Record<Name, string>>
  const set = (changes: Partial<Record<Name, string | null>>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  const clear = () =>
    set(Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>)
  return { values, set, clear, isAnySet: Object.keys(values).length > 0 }
}

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

interface DayFieldsProps {
  values: { from?: string; to?: string }
  /** Gets null for a day that is emptied. */
  set: (change: { from?: string | null; to?: string | null }) => void
}

/** A filter by two days, of which either may be missing. */
export function DayFields({ values: { from = '', to = '' }, set }: DayFieldsProps) {
  const isReversed = from !== '' && to !== '' && from > to
  return (
    <>
      <TextField
        label="From"
        type="date"
        value={from}
        onChange={(event) => set({ from: event.currentTarget.value || null })}
      />
      <TextField
        label="To"
        type="date"
        value={to}
        error={isReversed ? 'This day is before From' : undefined}
        onChange={(event) => set({ to: event.currentTarget.value || null })}
      />
    </>
  )
}

/**
 * Two days of a filter, both included, as the instants of a call's query: they begin and end in the
 * reader's time zone. What is not a date is left out.
 */
export function dayRange(days: { from?: string; to?: string }): { from?: string; to?: string } {
  const from = dayStart(days.from, 0)
  const to = dayStart(days.to, 1)
  return { ...(from !== null && { from }), ...(to !== null && { to }) }
}

/** When a day, or one that many days later, begins; null if the text is not a date. */
function dayStart(day: string | undefined, daysLater: number): string | null {
  const [year, month, date] = (day ?? '').split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return null
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) ? null : start.toISOString()
}
