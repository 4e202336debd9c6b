import type { ChangeEvent } from 'react'
import { acceptAmount } from './accept-amount.ts'
import { groupedReading } from './grouped-reading.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

interface AmountFieldProps extends Omit<TextFieldProps, 'type' | 'inputMode'> {
  /** Most digits behind the point: 6 for USD, 5 for a token amount (specification section 5). */
  decimals: number
  /** True where amounts are large: from a thousand on they are written in groups beside it. */
  readsInGroups?: boolean
}

/**
 * A text field that holds a plain decimal number and nothing else: separators in it would be typed
 * over, copied along and counted by the caret, so a grouped reading stands beside it.
 */
export function AmountField(props: AmountFieldProps) {
  const { decimals, readsInGroups = false, onChange, className, suffix, ...rest } = props
  const reading = readsInGroups ? groupedReading(String(rest.value ?? '')) : null
  function keepAmount(event: ChangeEvent<HTMLInputElement>) {
    const input = event.currentTarget
    const accepted = acceptAmount(input.value, decimals) ?? String(rest.value ?? '')
    if (accepted !== input.value) {
      const removed = input.value.length - accepted.length
      const caret = Math.max(0, (input.selectionStart ?? accepted.length) - removed)
      input.value = accepted
      input.setSelectionRange(caret, caret)
    }
    if (accepted !== rest.value) onChange?.(event)
  }
  return (
    <TextField
      autoComplete="off"
      {...rest}
      suffix={
        reading === null ? (
          suffix
        ) : (
          <>
            <span
              aria-hidden="true"
              data-reading
              className="tabular hidden pr-1.5 text-14 min-[16rem]:inline"
            >
              {reading}
            </span>
            {suffix}
          </>
        )
      }
      inputMode="decimal"
      className={`tabular ${className ?? ''}`}
      onChange={keepAmount}
    />
  )
}
