import { useId } from 'react'

interface SegmentedProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** One choice of a few, side by side: native radio buttons, so arrow keys work. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange } = props
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex max-w-full flex-wrap self-start rounded-control border border-hairline p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex min-h-10 min-w-11 cursor-pointer items-center justify-center rounded-[6px] px-2 sm:px-3 text-14 font-medium text-quiet transition-colors hover:text-ink has-checked:bg-raised has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="absolute -inset-y-0.5 left-0 w-full cursor-pointer opacity-0"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
