import { useId } from 'react'
import { Button } from '#web/ui/actions.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { FieldError } from '#web/ui/fields/text-field.tsx'

interface ChoicesProps<Name extends string> {
  legend: string
  /** Each with its words. */
  options: readonly { name: Name; text: string }[]
  chosen: readonly Name[]
  onChange: (chosen: Name[]) => void
  error?: string | undefined
}

/** Several choices out of many, each in words with its API name below. */
export function Choices<Name extends string>(props: ChoicesProps<Name>) {
  const { legend, options, chosen, onChange, error } = props
  const id = useId()
  const areAll = chosen.length === options.length
  const toggle = (name: Name) =>
    onChange(
      options.flatMap((each) =>
        (each.name === name) !== chosen.includes(each.name) ? [each.name] : [],
      ),
    )
  return (
    <fieldset
      // The focus goes here if the choice is refused.
      tabIndex={-1}
      data-invalid={error === undefined ? undefined : true}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className="flex min-w-0 flex-col gap-1"
    >
      <div className="flex items-center justify-between gap-4">
        <legend className="float-left text-14 font-medium">{legend}</legend>
        <Button
          variant="quiet"
          size="small"
          className="-mr-3"
          onClick={() => onChange(areAll ? [] : options.map(({ name }) => name))}
        >
          {areAll ? 'Choose none' : 'Choose all'}
        </Button>
      </div>
      <div className="grid gap-x-6 rounded-control border border-hairline px-3 py-1 sm:grid-cols-2">
        {options.map(({ name, text }) => (
          <Checkbox
            key={name}
            checked={chosen.includes(name)}
            onChange={() => toggle(name)}
            keepsErrorLine={false}
            label={
              <span className="flex flex-col text-14">
                {text}
                <code className="text-12 text-quiet">{name}</code>
              </span>
            }
          />
        ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  )
}
