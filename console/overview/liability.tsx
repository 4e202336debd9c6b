import type { Overview } from '#contract/operator/console.ts'
import { formatCoins, formatUsd } from '#web/lib/format/format.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { CoinName, Time } from '#console/kit/values.tsx'
import { type Column, Table } from '#console/kit/table.tsx'

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
