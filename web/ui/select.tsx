import { Suspense } from 'react'
import { ChevronDown } from 'lucide-react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { FieldFrame } from './field-frame.tsx'
import type { SelectProps } from './select-field.tsx'

export type { SelectOption, SelectProps } from './select-field.tsx'

const SelectField = lazyComponent(async () => (await import('./select-field.tsx')).SelectField)

/**
 * One choice of a list, searchable where asked for. Its code comes after the page; until then a
 * frame of the same size shows the choice, so nothing moves.
 */
export function Select(props: SelectProps) {
  return (
    <Suspense fallback={<SelectWaiting {...props} />}>
      <SelectField {...props} />
    </Suspense>
  )
}

function SelectWaiting({ label, value, groups, placeholder, renderValue }: SelectProps) {
  const chosen = groups.flatMap((group) => group.options).find((option) => option.id === value)
  return (
    <FieldFrame controlId="" label={label}>
      <span className="flex min-h-11 items-center gap-2 rounded-control border border-edge bg-raised px-3">
        <span className="min-w-0 flex-1 truncate">
          {chosen === undefined ? placeholder : (renderValue?.(chosen) ?? chosen.label)}
        </span>
        <ChevronDown size={16} aria-hidden="true" className="shrink-0 text-quiet" />
      </span>
    </FieldFrame>
  )
}
