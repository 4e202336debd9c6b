import type { Overview } from '#contract/operator/console.ts'
import { purchaseStatuses } from '#domain/settlement/outcome.ts'
import {
  type Numeric,
  formatCompact,
  formatExact,
  formatNumber,
  formatUsd,
} from '#web/lib/format/format.ts'
import { soldShare } from '#web/lib/format/token-amounts.ts'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'
import { CoinName, StateChip } from '#console/kit/values.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { stageStates } from '#console/sale/states.ts'

type Stage = Overview['stages'][number]

/** Which part of a whole something is, in percent. */
const shareOf = (part: Numeric, whole: Numeric) =>
  Number(whole) === 0 ? 0 : (Number(part) / Number(whole)) * 100

export function Stages({ stages, symbol }: { stages: readonly Stage[]; symbol: string }) {
  return (
    <Card title="Stages" aside={<span className="text-14 text-quiet">in {symbol}</span>}>
      <Table label="Stages" columns={stageColumns} rows={stages} keyOf={({ id }) => id} />
    </Card>
  )
}

function Tokens({ value }: { value: string }) {
  return (
    <span title={formatExact(value)}>{formatCompact(Number(Number(value).toPrecision(4)))}</span>
  )
}

function Progress({ stage: { sold, reserved, supply } }: { stage: Stage }) {
  return (
    <span className="flex items-center gap-3">
      <span
        aria-hidden="true"
        className="flex h-2 w-32 overflow-hidden rounded-pill bg-edge/50 forced-color-adjust-none"
      >
        <span className="bg-accent" style={{ width: `${shareOf(sold, supply)}%` }} />
        <span className="bg-accent/40" style={{ width: `${shareOf(reserved, supply)}%` }} />
      </span>
      <span className="tabular">{soldShare(Number(sold), Number(supply))}</span>
    </span>
  )
}

const statusTexts: Record<(typeof purchaseStatuses)[number], string> = {
  pending: 'Waiting for payment',
  processing: 'Waiting for confirmations',
  completed: 'Credited',
  expired: 'Expired',
  failed: 'Failed',
}

export function PurchasesByStatus({ purchases }: Pick<Overview, 'purchases'>) {
  return (
    <Card title="Purchases">
      <dl>
        {purchaseStatuses.map((status) => (
          <LabelledLine key={status} label={statusTexts[status]}>
            {formatNumber(purchases[status])}
          </LabelledLine>
        ))}
      </dl>
    </Card>
  )
}

const steps = [
  ['visited', 'Pages served'],
  ['registered', 'Registered'],
  ['bought', 'Made a purchase'],
  ['paid', 'Paid for one'],
] as const

/** How many people came, and how far they got. */
export function Funnel({ funnel }: Pick<Overview, 'funnel'>) {
  return (
    <Card title="From visit to payment">
      <ol className="flex flex-col gap-3">
        {steps.map(([step, label], nth) => {
          const before = steps[nth - 1]?.[0]
          // Pages are not people: the share of pages that led to a registration means nothing.
          const isOfPeople = before !== undefined && before !== 'visited' && funnel[before] > 0
          const share = isOfPeople ? (funnel[step] / funnel[before]) * 100 : null
          return (
            <li key={step} className="flex flex-col gap-1">
              <span className="flex items-baseline justify-between gap-3">
                <span className="text-14 text-quiet">{label}</span>
                <span className="tabular flex items-baseline gap-2">
                  {share !== null && (
                    <span className="text-12 text-quiet">{share.toFixed(0)}% of those</span>
                  )}
                  {formatNumber(funnel[step])}
                </span>
              </span>
              {step !== 'visited' && (
                <span
                  aria-hidden="true"
                  className="flex h-1.5 rounded-pill bg-edge/50 forced-color-adjust-none"
                >
                  <span
                    className="rounded-pill bg-accent"
                    style={{ width: `${Math.min(100, shareOf(funnel[step], funnel.registered))}%` }}
                  />
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

export function ByToken({ tokens }: { tokens: Overview['by_token'] }) {
  return (
    <Card title="Raised by coin">
      {tokens.length === 0 ? (
        <p className="text-quiet">Nothing has been credited yet.</p>
      ) : (
        <Table
          label="Raised by coin"
          columns={tokenColumns}
          rows={tokens}
          keyOf={({ payment_token_id }) => payment_token_id}
        />
      )}
    </Card>
  )
}

const stageColumns: readonly Column<Stage>[] = [
  { header: 'Stage', isTitle: true, cell: ({ name }) => name },
  { header: 'Status', cell: ({ status }) => <StateChip look={stageStates[status]} /> },
  { header: 'Progress', from: 'md', cell: (stage) => <Progress stage={stage} /> },
  { header: 'Sold', isNumber: true, cell: ({ sold }) => <Tokens value={sold} /> },
  { header: 'Reserved', isNumber: true, cell: ({ reserved }) => <Tokens value={reserved} /> },
  { header: 'Left', isNumber: true, cell: ({ left }) => <Tokens value={left} /> },
]

const tokenColumns: readonly Column<Overview['by_token'][number]>[] = [
  { header: 'Coin', isTitle: true, cell: (coin) => <CoinName coin={coin} /> },
  { header: 'Credited', isNumber: true, cell: ({ purchases }) => formatNumber(purchases) },
  { header: 'Raised', isNumber: true, cell: ({ raised_fiat }) => formatUsd(raised_fiat) },
]
