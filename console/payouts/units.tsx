import { formatExact } from '#web/lib/format/format.ts'

const SHOWN_DIGITS = 21

/**
 * An amount in base units. Strangers choose it, so one larger than any token of value has is
 * shortened.
 */
export function Units({ amount }: { amount: string }) {
  const isShort = amount.length <= SHOWN_DIGITS
  const shown = isShort ? formatExact(amount) : `about 10^${amount.length - 1}`
  return (
    <span title={amount} className="whitespace-nowrap">
      {shown}
    </span>
  )
}
