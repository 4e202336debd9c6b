import { TextField, type TextFieldProps } from '#web/ui/fields/text-field.tsx'
import { AddressText } from '#web/ui/address-text.tsx'

const ADDRESS_LENGTH = 42

/** An address on an EVM chain, shown below in groups of four once it is complete. */
export function AddressField(
  props: Omit<TextFieldProps, 'className' | 'hint' | 'value'> & { value: string },
) {
  const typed = props.value.trim()
  return (
    <div className="flex flex-col gap-2">
      <TextField
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={ADDRESS_LENGTH}
        placeholder="0x"
        keepsErrorLine={false}
        {...props}
      />
      {typed.length === ADDRESS_LENGTH && (
        <p className="text-14">
          <AddressText value={typed} />
        </p>
      )}
    </div>
  )
}
