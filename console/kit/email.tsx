/** Somebody's address in a list; one that is too long is cut. */
export function Email({ address }: { address: string }) {
  return (
    <span title={address} className="block truncate md:max-w-48 xl:max-w-56">
      {address}
    </span>
  )
}
