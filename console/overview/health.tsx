import type { ReactNode } from 'react'
import type { Overview } from '#contract/operator/console.ts'
import { countText } from '#console/kit/count-text.ts'
import { type Column, Table } from '#console/kit/table.tsx'
import { CoinName, Time } from '#console/kit/values.tsx'
import { formatCoins, formatUsd } from '#web/lib/format/format.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'

export function OwedByToken({ owed }: Pick<Overview, 'owed'>) {
  return (
    <Card title="Refunds owed">
      {owed.length === 0 ? (
        <p className="text-quiet">Nothing is owed to anybody.</p>
      ) : (
        <Table
          label="Refunds owed by coin"
          columns={owedColumns}
          rows={owed}
          keyOf={({ asset }) => asset}
        />
      )}
    </Card>
  )
}

interface PartState {
  name: ReactNode
  key: string
  tone: Tone
  word: string
  detail: ReactNode
}

/** The state of chains, gateways, prices, mails and the check of the books. */
export function Health({ overview }: { overview: Overview }) {
  const parts = [
    ...overview.state.chains.map(chainPart),
    ...overview.feeds.map(feedPart),
    mailPart(overview.mails),
    guardPart(overview.state),
  ]
  return (
    <Card title="System health">
      <ul aria-label="System health" className="divide-y divide-hairline">
        {parts.map(({ key, name, tone, word, detail }) => (
          <li key={key} className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 py-2">
            <span className="min-w-0 wrap-anywhere">
              {name} <span className="text-14 text-quiet">{detail}</span>
            </span>
            <Chip tone={tone}>{word}</Chip>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function chainPart({
  name,
  fault,
  read_through_date,
}: Overview['state']['chains'][number]): PartState {
  const detail =
    fault ??
    (read_through_date === null ? null : (
      <>
        read through <Time value={read_through_date} as="age" />
      </>
    ))
  return {
    key: `chain ${name}`,
    name,
    tone: fault === null ? 'success' : 'error',
    word: fault === null ? 'Read' : 'Failing',
    detail,
  }
}

function feedPart({ symbol, price, fetched_date, is_fresh }: Overview['feeds'][number]): PartState {
  return {
    key: `feed ${symbol}`,
    name: `Price of ${symbol}`,
    tone: is_fresh ? 'success' : 'error',
    word: is_fresh ? 'Known' : 'Too old',
    detail: fetched_date !== null && price !== null && (
      <>
        {formatUsd(price)}, <Time value={fetched_date} as="age" />
      </>
    ),
  }
}

function mailPart({ unsent, oldest_unsent_date, given_up }: Overview['mails']): PartState {
  return {
    key: 'mails',
    name: 'Mails',
    tone: given_up > 0 ? 'error' : 'success',
    word: given_up > 0 ? `${countText(given_up)} given up` : 'Sent',
    detail:
      oldest_unsent_date === null ? (
        'none waiting'
      ) : (
        <>
          {unsent === 1 ? 'one waiting' : `${countText(unsent)} waiting`}, the oldest since{' '}
          <Time value={oldest_unsent_date} as="age" />
        </>
      ),
  }
}

function guardPart({ check }: Overview['state']): PartState {
  const open = check?.breaches.filter(({ is_accepted }) => !is_accepted).length ?? 0
  const isWhole = check !== null && check.not_run.length === 0
  const faulty = open === 0 ? 'Not checked' : `${open} ${open === 1 ? 'fault' : 'faults'}`
  const isWell = isWhole && open === 0
  return {
    key: 'guard',
    name: 'The books',
    tone: isWell ? 'success' : open === 0 ? 'warning' : 'error',
    word: isWell ? 'Agree' : faulty,
    detail: check !== null && (
      <>
        checked <Time value={check.checked_date} as="age" />
      </>
    ),
  }
}

const owedColumns: readonly Column<Overview['owed'][number]>[] = [
  {
    header: 'Coin',
    isTitle: true,
    cell: ({ payment_token: token }) =>
      token === null ? 'Unknown coins, in base units' : <CoinName coin={token} />,
  },
  { header: 'Refunds', isNumber: true, cell: ({ count }) => count },
  { header: 'Amount', isNumber: true, cell: ({ amount }) => formatCoins(amount) },
  {
    header: 'Value now',
    isNumber: true,
    cell: ({ amount_fiat: worth }) => (worth === null ? 'unknown' : formatUsd(worth)),
  },
]

type State = Overview['state']

/** The sum that the sale has to raise, and how far it has come; nothing without a soft cap. */
export function SoftCap({ softCap }: { softCap: State['soft_cap'] }) {
  if (softCap === null) return null
  const { amount_fiat: cap, raised_fiat: raised, closed_date: closed } = softCap
  return (
    <Card title="Soft cap">
      {closed === null ? (
        <p className="tabular">
          {formatUsd(raised)} of {cap === null ? 'none' : formatUsd(cap)} raised.
        </p>
      ) : (
        <p>
          The sale was closed below it on <Time value={closed} />: everything that was paid is owed
          back.
        </p>
      )}
    </Card>
  )
}

/** What buyers could still withdraw from; nothing if there is none. */
export function Withdrawable({ withdrawable }: { withdrawable: State['withdrawable'] }) {
  if (withdrawable.length === 0) return null
  return (
    <Card title="Could still be withdrawn">
      <Table
        label="Could still be withdrawn"
        columns={columns}
        rows={withdrawable}
        keyOf={({ payment_token: token }) => token?.id ?? ''}
      />
    </Card>
  )
}

const columns: readonly Column<State['withdrawable'][number]>[] = [
  {
    header: 'Coin',
    isTitle: true,
    cell: ({ payment_token: token }) => token !== null && <CoinName coin={token} />,
  },
  { header: 'Purchases', isNumber: true, cell: ({ purchases }) => purchases },
  { header: 'Amount', isNumber: true, cell: ({ amount }) => formatCoins(amount) },
  { header: 'At receipt', isNumber: true, cell: ({ amount_fiat: worth }) => formatUsd(worth) },
]
