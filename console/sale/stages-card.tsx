import { useQuery } from '@tanstack/react-query'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { Loaded } from '#console/kit/loaded.tsx'
import { StateChip, Time } from '#console/kit/values.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { formatPrice } from '#web/lib/format/format.ts'
import { formatTokensCompact, soldShare } from '#web/lib/format/token-amounts.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { saleStagesQuery } from './sale-queries.ts'
import { stageStates } from './states.ts'

const columns: readonly Column<ListedStage>[] = [
  { header: 'Stage', isTitle: true, cell: ({ name }) => name },
  { header: 'Status', cell: ({ status }) => <StateChip look={stageStates[status]} /> },
  { header: 'Price now', isNumber: true, cell: ({ current_token_price: now }) => formatPrice(now) },
  {
    header: 'First to last',
    isNumber: true,
    from: 'xl',
    cell: ({ token_price: first, final_token_price: last }) =>
      first === last ? formatPrice(first) : `${formatPrice(first)} – ${formatPrice(last)}`,
  },
  { header: 'Sold', isNumber: true, cell: (stage) => <Sold stage={stage} /> },
  {
    header: 'From, until',
    cell: ({ start_date: from, end_date: until }) => (
      <span className="inline-flex flex-col">
        <Time value={from} />
        {until === null ? <span>until sold out</span> : <Time value={until} />}
      </span>
    ),
  },
]

export function StagesCard() {
  const query = useQuery(saleStagesQuery)
  return (
    <Card title="Stages">
      <Loaded query={query} what="The stages" skeleton="h-104 max-md:h-256">
        {(stages) => (
          <Table label="Stages" columns={columns} rows={stages} keyOf={({ id }) => id} />
        )}
      </Loaded>
    </Card>
  )
}

function Sold({ stage }: { stage: ListedStage }) {
  const { sold_tokens: sold, total_tokens: total } = stage
  const percent = total === 0 ? 0 : Math.min(100, (sold / total) * 100)
  return (
    <span className="inline-flex min-w-32 flex-col gap-1">
      <span>
        {formatTokensCompact(sold)} of {formatTokensCompact(total)}{' '}
        <span className="text-quiet">({soldShare(sold, total)})</span>
      </span>
      <span
        aria-hidden="true"
        className="h-1 w-32 self-end overflow-hidden rounded-pill bg-edge/50 forced-color-adjust-none"
      >
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
    </span>
  )
}
