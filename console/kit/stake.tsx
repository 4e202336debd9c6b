import { formatUsd } from '#web/lib/format/format.ts'
import { LabelledLine } from '#web/ui/layout/list.tsx'
import type { Column } from './table.tsx'

/** What is at stake, in dollars; null if a price of it is not known. */
export const stakeText = (usd: string | null) =>
  usd === null ? 'Dollar value unknown' : formatUsd(usd)

export function StakeLine({ usd }: { usd: string | null }) {
  return (
    <LabelledLine label="At stake" isStrong>
      {stakeText(usd)}
    </LabelledLine>
  )
}

export const stakeColumn: Column<{ amount_fiat: string | null }> = {
  header: 'At stake',
  isNumber: true,
  cell: ({ amount_fiat: usd }) => (usd === null ? '–' : formatUsd(usd)),
}
