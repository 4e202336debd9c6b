import bnb from 'cryptocurrency-icons/svg/color/bnb.svg?url&no-inline'
import btc from 'cryptocurrency-icons/svg/color/btc.svg?url&no-inline'
import doge from 'cryptocurrency-icons/svg/color/doge.svg?url&no-inline'
import eth from 'cryptocurrency-icons/svg/color/eth.svg?url&no-inline'
import ltc from 'cryptocurrency-icons/svg/color/ltc.svg?url&no-inline'
import matic from 'cryptocurrency-icons/svg/color/matic.svg?url&no-inline'
import usdt from 'cryptocurrency-icons/svg/color/usdt.svg?url&no-inline'

/** The tokens with a known icon; specification section 3. */
const icons: Record<string, string> = {
  BNB: bnb,
  BTC: btc,
  DOGE: doge,
  ETH: eth,
  LTC: ltc,
  MATIC: matic,
  USDT: usdt,
}

interface TokenIconProps {
  symbol: string
  /** Side in CSS pixels. */
  size?: number
}

/** A payment token's icon, or its first letters where none is known. Decoration: name it beside. */
export function TokenIcon({ symbol, size = 24 }: TokenIconProps) {
  const icon = icons[symbol.toUpperCase()]
  if (icon !== undefined) {
    return <img src={icon} alt="" width={size} height={size} className="shrink-0" />
  }
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size }}
      className="inline-flex shrink-0 items-center justify-center rounded-pill border border-edge text-12 text-quiet"
    >
      {symbol.slice(0, 2)}
    </span>
  )
}
