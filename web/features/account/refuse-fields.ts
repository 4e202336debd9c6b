import type { CallError } from '#web/lib/call-error.ts'

/** Shows what the server has against single fields where they are; `mobile` is two fields here. */
export function refuseFields<Name extends string>(
  form: { values: Record<Name, unknown>; refuse: (name: Name, message: string) => void },
  errors: CallError['errors'],
): void {
  for (const { path, message } of errors) {
    const name = path === 'mobile' ? 'phone_number' : path
    if (isFieldOf(form.values, name)) form.refuse(name, message)
  }
}

function isFieldOf<Name extends string>(values: Record<Name, unknown>, name: string): name is Name {
  return name in values
}
