import { useEffect, useId, useState, type ComponentType, useSyncExternalStore } from 'react'
import { ChevronDown } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { descriptionIds, FieldFrame } from './text-field.tsx'
import type { SelectFieldProps, SelectProps } from './select-field.tsx'

export type { SelectOption, SelectProps } from './select-field.tsx'

type Field = ComponentType<SelectFieldProps>

let loadedField: Field | null = null

async function loadField(): Promise<Field> {
  loadedField ??= (await import('./select-field.tsx')).SelectField
  return loadedField
}

/**
 * One choice from a searchable list. Its code is half as large as the page and is fetched once
 * somebody begins to use the page; until then a button with the same look shows the choice, and
 * opens the list once it is loaded.
 */
export function Select(props: SelectProps) {
  const isPageUsed = useIsPageUsed()
  const [Field, setField] = useState(() => loadedField)
  const [buttonState, setButtonState] = useState<'away' | 'focused' | 'pressed'>('away')
  useEffect(() => {
    if (!isPageUsed) return
    loadField().then(
      (field) => setField(() => field),
      () => undefined,
    )
  }, [isPageUsed])
  if (Field !== null) {
    return (
      <Field
        {...props}
        autoFocus={buttonState !== 'away'}
        defaultOpen={buttonState === 'pressed'}
      />
    )
  }
  return (
    <SelectWaiting
      {...props}
      onFocus={() => setButtonState((state) => (state === 'pressed' ? state : 'focused'))}
      onLeave={() => setButtonState('away')}
      onPress={() => setButtonState('pressed')}
    />
  )
}

interface SelectWaitingProps extends SelectProps {
  onFocus: () => void
  onLeave: () => void
  onPress: () => void
}

function SelectWaiting(props: SelectWaitingProps) {
  const { label, value, shown, placeholder, error } = props
  const { ui } = useMessages()
  const id = useId()
  const hasError = error !== undefined
  return (
    <FieldFrame controlId={id} label={label} error={error}>
      <button
        id={id}
        type="button"
        aria-haspopup="listbox"
        aria-labelledby={`${id}-value ${id}-label`}
        aria-describedby={descriptionIds(id, false, hasError)}
        onFocus={props.onFocus}
        onBlur={props.onLeave}
        // There is no click if the code arrives before the mouse is released.
        onMouseDown={props.onPress}
        onClick={props.onPress}
        className={classNames(
          'flex min-h-11 w-full items-center gap-2 rounded-control border bg-raised px-3 text-left',
          'transition-colors',
          hasError ? 'border-error' : 'border-edge hover:border-quiet',
        )}
      >
        <span
          id={`${id}-value`}
          className={classNames('min-w-0 flex-1 truncate', value === null && 'text-quiet')}
        >
          {value === null ? (placeholder ?? ui.choose) : shown}
        </span>
        <ChevronDown size={16} className="shrink-0 text-quiet" />
      </button>
    </FieldFrame>
  )
}

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'focusin'] as const

let isUsed = false

/** Whether somebody has begun to use the page, by pointer or keyboard. */
function useIsPageUsed(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isUsed,
    () => false,
  )
}

function subscribe(listener: () => void) {
  const onSign = () => {
    isUsed = true
    listener()
  }
  for (const sign of SIGNS) document.addEventListener(sign, onSign, { once: true })
  return () => {
    for (const sign of SIGNS) document.removeEventListener(sign, onSign)
  }
}
