import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface FigureProps {
  /** The rounded value, as `lib/format` wrote it. */
  value: string
  unit?: string
  /** The exact value, for the title and for copying; the rounded one where it is left out. */
  exact?: string
  label?: ReactNode
  size?: 'large' | 'medium' | 'small'
  align?: 'start' | 'end'
}

const sizes = {
  large: { value: 'text-31 sm:text-39', unit: 'text-16' },
  medium: { value: 'text-25', unit: 'text-14' },
  small: { value: 'text-16', unit: 'text-12' },
}

/** The number a card is about, its unit smaller and quieter beside it. */
export function Figure(props: FigureProps) {
  const { value, unit, exact, label, size = 'large', align = 'start' } = props
  const look = sizes[size]
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1', align === 'end' && 'items-end')}>
      {label !== undefined && <span className="text-14 text-quiet">{label}</span>}
      <data
        value={exact ?? value}
        title={[exact ?? value, unit].filter(Boolean).join(' ')}
        className="tabular flex max-w-full flex-wrap items-baseline gap-x-2"
      >
        <span className={classNames(look.value, 'min-w-0 font-strong break-words')}>{value}</span>
        {unit !== undefined && (
          <span className={classNames(look.unit, 'font-medium text-quiet')}>{unit}</span>
        )}
      </data>
    </div>
  )
}
