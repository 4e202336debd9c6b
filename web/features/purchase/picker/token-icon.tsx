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

/**
 * A payment token's icon, or its first letters if there is none. It is decoration: show the name
 * beside it.
 */
export function TokenIcon({ symbol, size = 24 }: TokenIconProps) {
  const icon = icons[symbol.toUpperCase()]
  if (icon !== undefined) {
    return <img src={icon} alt="" width={size} height={size} className="shrink-0" />
  }
  // An SVG, since the content security policy forbids a size in an inline style.
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="shrink-0">
      <circle cx="12" cy="12" r="11.5" className="fill-none stroke-edge" />
      <text x="12" y="15.5" textAnchor="middle" fontSize="10" className="fill-quiet">
        {symbol.slice(0, 2)}
      </text>
    </svg>
  )
}
