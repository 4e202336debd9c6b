import { Wallet } from 'lucide-react'

const ICON_SIZE = 20

/** The picture that a wallet announces; a generic one if it has none that can be shown. */
export function WalletIcon({ icon }: { icon: string | null }) {
  if (icon === null) return <Wallet size={ICON_SIZE} className="shrink-0" />
  return (
    <img
      src={icon}
      alt=""
      width={ICON_SIZE}
      height={ICON_SIZE}
      className="size-5 shrink-0 object-contain"
    />
  )
}
