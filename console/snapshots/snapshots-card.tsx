import type { Snapshot } from '#contract/operator/snapshots.ts'
import { CopiedAddress, Time } from '#console/kit/values.tsx'
import { formatNumber } from '#web/lib/format/format.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { Card, LabelledLine, List, ListRow } from '#web/ui/layout/card.tsx'

interface SnapshotsCardProps {
  snapshots: readonly Snapshot[]
  symbol: string
}

export function SnapshotsCard({ snapshots, symbol }: SnapshotsCardProps) {
  return (
    <Card title="Snapshots">
      <List label="Snapshots">
        {snapshots.toReversed().map((snapshot) => (
          <ListRow key={snapshot.number} className="flex flex-col gap-2">
            <span className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">Snapshot {snapshot.number}</span>
              <span className="text-14 text-quiet">
                <Time value={snapshot.taken_date} />
              </span>
            </span>
            {snapshot.reason !== null && <p className="wrap-anywhere">{snapshot.reason}</p>}
            <dl className="grid gap-x-8 text-14 md:grid-cols-2">
              <LabelledLine label="Tokens">
                <span title={snapshot.tokens} className="tabular">
                  {formatNumber(snapshot.tokens)} {symbol}
                </span>
              </LabelledLine>
              <LabelledLine label="Owners">{formatNumber(snapshot.owners)}</LabelledLine>
              <LabelledLine label="Purchases and rewards">
                {formatNumber(snapshot.leaves)}
              </LabelledLine>
              <LabelledLine label="Last transfer of the ledger">
                {snapshot.ledger_position}
              </LabelledLine>
            </dl>
            <CopiedAddress label="Public root" value={snapshot.root} />
            {snapshot.number > 1 && (
              <TextLink to={`/delivery/snapshots/${snapshot.number}`} className="text-14">
                What it changed in snapshot {snapshot.number - 1}
              </TextLink>
            )}
          </ListRow>
        ))}
      </List>
    </Card>
  )
}
