import { useMessages } from '#web/messages/use-messages.ts'
import { TextField, type TextFieldProps } from '#web/ui/fields/text-field.tsx'
import { type CountrySelectProps, DialCodeSelect } from './country-select.tsx'

interface PhoneFieldProps {
  number: Omit<TextFieldProps, 'label'>
  country: CountrySelectProps
  /** The field has the focus: the code that checks numbers is needed now. */
  onFocus: () => void
}

/**
 * A phone number with its country; both are optional. On a phone an error spans both, since it is a
 * long sentence, and large text leaves most of the room to the number.
 */
export function PhoneField({ number, country, onFocus }: PhoneFieldProps) {
  const { forms } = useMessages()
  return (
    <div className="grid wrap-anywhere grid-cols-[min(8rem,42vw)_minmax(0,1fr)] gap-2 max-sm:[&>:last-child>p]:ml-[calc(-0.5rem-min(8rem,42vw))]">
      <DialCodeSelect {...country} />
      <TextField
        {...number}
        onFocus={onFocus}
        label={forms.phoneNumber}
        placeholder={forms.optional}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
      />
    </div>
  )
}
