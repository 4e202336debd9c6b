import { Check, Circle } from 'lucide-react'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#domain/accounts/account.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { PasswordField, type TextFieldProps } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

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

/** Conditions that are ticked off while somebody types, such as those of a password. */
function Checklist({ items }: { items: { label: string; isMet: boolean }[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {items.map((item) => (
        <li
          key={item.label}
          className={classNames('flex items-center gap-1', item.isMet && 'text-success')}
        >
          {item.isMet ? <Check size={16} /> : <Circle size={16} className="p-0.5" />}
          {item.label}
        </li>
      ))}
    </ul>
  )
}
