import { type ChangeEvent, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { currentLanguage } from '#web/messages/language.ts'
import { type Typing, typeAmount } from './accept-amount.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

interface AmountFieldProps extends Omit<TextFieldProps, 'type' | 'inputMode'> {
  /** Most digits behind the point: 6 for USD, 5 for a token amount (specification section 5). */
  decimals: number
}

/** A text field that holds a plain decimal number and nothing else. */
export function AmountField({ decimals, onChange, className, ...rest }: AmountFieldProps) {
  const typing = useRef<Typing>(null)
  // The input while all of it is selected: a new price would write it anew under the buyer's hands,
  // unselect it, and what is typed then would be added to it.
  const selected = useRef<HTMLInputElement | null>(null)
  useLayoutEffect(() => {
    if (selected.current === document.activeElement) selected.current?.select()
  }, [rest.value])
  function noteSelected({ currentTarget: input }: SyntheticEvent<HTMLInputElement>) {
    const { selectionStart, selectionEnd, value } = input
    selected.current = selectionStart === 0 && selectionEnd === value.length ? input : null
  }
  function keepAmount(event: ChangeEvent<HTMLInputElement>) {
    const input = event.currentTarget
    selected.current = null
    const held = String(rest.value ?? '')
    // A text from elsewhere, such as a shortcut, goes on as if it had been typed.
    const before =
      typing.current?.accepted === held ? typing.current : { keys: held, accepted: held }
    typing.current = typeAmount(before, input.value, decimals, currentLanguage() === 'en')
    const { accepted } = typing.current
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
      // An empty input gets the focus without a selection that would be an event.
      onFocusCapture={noteSelected}
      onSelect={noteSelected}
    />
  )
}
