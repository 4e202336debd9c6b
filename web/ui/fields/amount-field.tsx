import type { ChangeEvent } from 'react'
import { acceptAmount } from './accept-amount.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

interface AmountFieldProps extends Omit<TextFieldProps, 'type' | 'inputMode'> {
  /** Most digits behind the point: 6 for USD, 5 for a token amount (specification section 5). */
  decimals: number
}

/** A text field that holds a plain decimal number and nothing else. */
export function AmountField({ decimals, onChange, className, ...rest }: AmountFieldProps) {
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
      inputMode="decimal"
      className={`tabular ${className ?? ''}`}
      onChange={keepAmount}
    />
  )
}
