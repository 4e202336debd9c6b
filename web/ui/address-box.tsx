import { AddressText } from './address-text.tsx'

/** An address that is looked at once more before something is done with it. */
export function AddressBox({ value }: { value: string }) {
  return (
    <p className="w-full rounded-control border border-hairline bg-raised px-3 py-2">
      <AddressText value={value} />
    </p>
  )
}
