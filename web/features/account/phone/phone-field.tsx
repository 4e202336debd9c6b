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
 * A phone number with its country; both together are optional. On a phone an error has the width of
 * both, for it is a long sentence. Where text is so large that two fields have no room beside each
 * other, they stand one below the other.
 */
export function PhoneField({ number, country, onFocus }: PhoneFieldProps) {
  const { forms } = useMessages()
  return (
    <div className="@container">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 @min-[14rem]:grid-cols-[8rem_minmax(0,1fr)] max-sm:@min-[14rem]:[&>:last-child>p]:-ml-34">
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
    </div>
  )
}
