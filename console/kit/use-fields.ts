import { useState } from 'react'
import { CallError } from '#web/lib/api/call.ts'

/**
 * The text fields of a dialog for an act. If the server refuses what is in one of them, it says so
 * until the field is changed.
 */
export function useFields<Name extends string>(initial: Record<Name, string>) {
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({})
  return {
    /** What is in a field, without spaces around it. */
    valueOf: (name: Name) => values[name].trim(),
    /** The properties of a field. */
    field: (name: Name) => ({
      value: values[name],
      error: faults[name],
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
        setValues((before) => ({ ...before, [name]: currentTarget.value }))
        setFaults((before) => ({ ...before, [name]: undefined }))
      },
    }),
    /** Shows a refusal at its fields. */
    refuse(error: unknown) {
      // Of several faults of a field the first is shown.
      const found = error instanceof CallError ? error.errors.toReversed() : []
      setFaults(Object.fromEntries(found.map(({ path, message }) => [path, message])))
    },
  }
}
