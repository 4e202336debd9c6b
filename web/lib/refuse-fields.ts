import { CallError, isRefusal } from '#web/lib/api/call.ts'

/**
 * Shows the errors that the server found in single fields at those fields. A refusal of the whole
 * call is shown at the field that `fieldOf` names for its reason. `mobile` is two fields here.
 * Returns whether there was such a field.
 */
export function refuseFields<Name extends string>(
  form: { values: Record<Name, unknown>; refuse: (name: Name, message: string) => void },
  error: unknown,
  fieldOf: Partial<Record<CallError['reason'], NoInfer<Name>>> = {},
): boolean {
  if (!(error instanceof CallError)) return false
  const field = fieldOf[error.reason]
  if (field !== undefined) form.refuse(field, error.message)
  let isShown = field !== undefined
  if (!isRefusal(error, 'InvalidInput')) return isShown
  for (const { path, message } of error.errors) {
    const name = path === 'mobile' ? 'phone_number' : path
    if (!isFieldOf(form.values, name)) continue
    form.refuse(name, message)
    isShown = true
  }
  return isShown
}

function isFieldOf<Name extends string>(values: Record<Name, unknown>, name: string): name is Name {
  return name in values
}
