import type { Column } from '#console/kit/table.tsx'
import { formatCoins } from '#web/lib/format/format.ts'

/** An amount of a coin or token, with every digit of it in a tooltip. */
export const amountColumn: Column<{ amount: string; symbol: string }> = {
  header: 'Amount',
  isNumber: true,
  cell: ({ amount, symbol }) => (
    <span title={`${amount} ${symbol}`}>
      {formatCoins(amount)} <span className="text-quiet">{symbol}</span>
    </span>
  ),
}
