import { AddressText } from './address-text.tsx'

/** An address that should be checked once more before it is used. */
export function AddressBox({ value }: { value: string }) {
  return (
    <p className="w-full rounded-control border border-hairline bg-raised px-3 py-2">
      <AddressText value={value} />
    </p>
  )
}
