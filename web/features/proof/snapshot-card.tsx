import { formatDate, formatExact, formatNumber } from '#web/lib/format/format.ts'
import { useProofTexts } from './use-proof-texts.ts'
import { AddressText } from '#web/ui/address-text.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'
import type { PublicSnapshot } from './queries.ts'

/** What anybody may know of a snapshot. */
export function SnapshotCard({ snapshot, symbol }: { snapshot: PublicSnapshot; symbol: string }) {
  const texts = useProofTexts()
  const { number, taken_date: takenDate, root, tokens, leaves } = snapshot
  return (
    <Card title={texts.snapshot(number)}>
      {number > 1 && <p className="text-quiet">{texts.corrects(number - 1)}</p>}
      <dl className="flex flex-col">
        <LabelledLine label={texts.date}>{formatDate(takenDate)}</LabelledLine>
        <LabelledLine label={texts.total}>{`${formatExact(tokens)} ${symbol}`}</LabelledLine>
        <LabelledLine label={texts.count}>{formatNumber(leaves)}</LabelledLine>
      </dl>
      <CopyField label={texts.root} value={root}>
        <AddressText value={root} />
      </CopyField>
    </Card>
  )
}
