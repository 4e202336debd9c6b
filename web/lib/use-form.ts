import { useEffect, useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import * as z from 'zod/mini'

type Values = Record<string, string | boolean>

type NameOf<Fields extends Values, Value> = {
  [name in keyof Fields]: Fields[name] extends Value ? name : never
}[keyof Fields] &
  string

interface FieldState<Fields extends Values> {
  name: keyof Fields & string
  onBlur: () => void
  error: string | undefined
}

interface FormOptions<Fields extends Values> {
  schema: z.core.$ZodType<unknown, Fields>
  initial: Fields
  /** Called with valid fields. */
  onSubmit: (fields: Fields) => Promise<void>
  /** Shows why that failed; left out if it cannot fail. */
  onFault?: (error: unknown) => void
}

/**
 * The state of a form. The error of a field shows once the field was left, and all of them when the
 * form is sent (specification section 5); the focus then goes to the first one.
 */
export function useForm<Fields extends Values>(options: FormOptions<Fields>) {
  const { schema, initial, onSubmit, onFault } = options
  const [saved, setSaved] = useState<Values>(initial)
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Record<string, string | undefined>>({})
  const [isSubmitting, setSubmitting] = useState(false)
  const { formRef, focusFirstFault } = useFocusOnFault()
  const faults = faultsOf(schema, values)

  function set(name: keyof Fields & string, value: string | boolean) {
    setValues((before) => ({ ...before, [name]: value }))
    setRefused((before) => ({ ...before, [name]: undefined }))
  }

  function field(name: keyof Fields & string): FieldState<Fields> {
    return {
      name,
      onBlur: () => setTouched((before) => new Set([...before, name])),
      error: refused[name] ?? (touched.has(name) ? faults.get(name) : undefined),
    }
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSubmitting) return
    formRef.current = event.currentTarget
    setTouched(new Set(Object.keys(values)))
    if (faults.size > 0) return focusFirstFault()
    setSubmitting(true)
    try {
      await onSubmit(values)
    } catch (error) {
      if (onFault === undefined) throw error
      onFault(error)
    } finally {
      setSubmitting(false)
    }
  }

  return {
    values,
    /** What is stored, as far as the form knows. */
    saved,
    isSubmitting,
    isChanged: (name: keyof Fields & string) => values[name] !== saved[name],
    /** Fills a field in for the user, and checks it at once. */
    fill(name: NameOf<Fields, string>, value: string) {
      set(name, value)
      field(name).onBlur()
    },
    /** Shows an error of the server at a field until the field is changed. */
    refuse(name: keyof Fields & string, message: string) {
      setRefused((before) => ({ ...before, [name]: message }))
      focusFirstFault()
    },
    /** Resets the form to what is stored now, unless something was typed since it was sent. */
    reset(stored: Fields) {
      setSaved(stored)
      setValues((now) => (now === values ? stored : now))
      setTouched(new Set())
      setRefused({})
    },
    onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event),
    ...controlsOf<Fields>(values, set, field),
  }
}

/** The properties of the fields of a form, by what they are. */
function controlsOf<Fields extends Values>(
  values: Fields,
  set: (name: keyof Fields & string, value: string | boolean) => void,
  field: (name: keyof Fields & string) => FieldState<Fields>,
) {
  return {
    text: (name: NameOf<Fields, string>) => ({
      ...field(name),
      value: String(values[name]),
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.currentTarget.value),
    }),
    checkbox: (name: NameOf<Fields, boolean>) => ({
      ...field(name),
      checked: values[name] === true,
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.currentTarget.checked),
    }),
    choice: (name: NameOf<Fields, string>) => ({
      ...field(name),
      value: String(values[name]),
      onChange: (value: string) => set(name, value),
    }),
  }
}

function faultsOf(schema: z.core.$ZodType, values: Values): Map<string, string> {
  const faults = new Map<string, string>()
  for (const issue of z.safeParse(schema, values).error?.issues ?? []) {
    const name = String(issue.path[0])
    if (!faults.has(name)) faults.set(name, issue.message)
  }
  return faults
}

/** Returns a function that moves the focus to the first field with an error once it is shown. */
function useFocusOnFault() {
  const [attempt, setAttempt] = useState(0)
  const formRef = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const faulty = formRef.current?.querySelector('[aria-invalid="true"], [data-invalid] button')
    if (faulty instanceof HTMLElement) faulty.focus()
  }, [attempt])
  return { formRef, focusFirstFault: () => setAttempt((before) => before + 1) }
}
