import { assetAmount } from '#console/purchases/amounts.ts'

interface CoinsProps {
  amount: string
  payment_token: { short_name: string; chain: string }
}

/** An amount of a coin, with the exact one in a tooltip. */
export function Coins({ amount, payment_token: coin }: CoinsProps) {
  return (
    <span title={`${amount} ${coin.short_name}`} className="tabular whitespace-nowrap">
      {assetAmount(coin, amount)} <span className="text-quiet">{coin.short_name}</span>
    </span>
  )
}
