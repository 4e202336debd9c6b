import type { ReactNode } from 'react'
import { useMessages } from '#web/messages/use-messages.ts'
import { TextField, type TextFieldProps } from '#web/ui/text-field.tsx'

interface PhoneFieldProps extends Omit<TextFieldProps, 'label'> {
  /** The choice of the dial code. */
  dialCode: ReactNode
}

/** A phone number with its country; both together are optional. */
export function PhoneField({ dialCode, ...number }: PhoneFieldProps) {
  const { forms } = useMessages()
  return (
    <div className="grid grid-cols-[8rem_1fr] gap-2">
      {dialCode}
      <TextField
        {...number}
        label={forms.phoneNumber}
        placeholder={forms.optional}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
      />
    </div>
  )
}
