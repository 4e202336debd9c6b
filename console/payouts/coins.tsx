import { type Asset, assetAmount, assetName } from '#console/purchases/amounts.ts'

interface CoinsProps {
  amount: string
  payment_token: Asset
}

/** An amount of a coin, with the exact one in a tooltip. */
export function Coins({ amount, payment_token: coin }: CoinsProps) {
  return (
    <span title={`${amount} ${assetName(coin)}`} className="tabular whitespace-nowrap">
      {assetAmount(coin, amount)} <span className="text-quiet">{assetName(coin)}</span>
    </span>
  )
}
