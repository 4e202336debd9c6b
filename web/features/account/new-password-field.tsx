import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#domain/accounts/account.ts'
import { useMessages } from '#web/messages/en.ts'
import { Checklist } from '#web/ui/fields/checklist.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import type { TextFieldProps } from '#web/ui/fields/text-field.tsx'

interface NewPasswordFieldProps extends Omit<TextFieldProps, 'type' | 'suffix' | 'hint' | 'value'> {
  value: string
}

/** A password to be chosen, whose rules are ticked off as they are met. */
export function NewPasswordField({ value, ...field }: NewPasswordFieldProps) {
  const { forms } = useMessages()
  const length = [...value].length
  const rules = [
    {
      label: forms.passwordRules.length,
      isMet: length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX,
    },
    { label: forms.passwordRules.letter, isMet: /\p{L}/u.test(value) },
    { label: forms.passwordRules.digit, isMet: /\p{Nd}/u.test(value) },
  ]
  return (
    <PasswordField
      {...field}
      value={value}
      autoComplete="new-password"
      hint={<Checklist items={rules} />}
    />
  )
}
