import type { ReactNode } from 'react'
import { CircleAlert, Wallet } from 'lucide-react'
import type { AnnouncedWallet } from '#web/lib/wallet/announced-wallets.ts'
import { Button } from './actions.tsx'

interface WalletButtonsProps {
  wallets: readonly AnnouncedWallet[]
  /** The id of the wallet that is being asked: the others wait for it. */
  asked: string | null
  /** False if something else on the page is to be done first. */
  isPrimary?: boolean
  textOf: (wallet: string) => string
  onChoose: (wallet: AnnouncedWallet) => void
}

export function WalletButtons(props: WalletButtonsProps) {
  const { wallets, asked, isPrimary = true, textOf, onChoose } = props
  return wallets.map((wallet) => (
    <Button
      key={wallet.id}
      variant={isPrimary && wallets.length === 1 ? 'primary' : 'secondary'}
      isFullWidth
      isBusy={asked === wallet.id}
      disabled={asked !== null && asked !== wallet.id}
      onClick={() => onChoose(wallet)}
    >
      {asked !== wallet.id && <WalletIcon icon={wallet.icon} />}
      <span className="min-w-0 break-words">{textOf(wallet.name)}</span>
    </Button>
  ))
}

/** Why a wallet did not do what it was asked for. */
export function WalletFault({ reason, children }: { reason?: string; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2" data-refusal={reason}>
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-error" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}

const ICON_SIZE = 20

/** The picture that a wallet announces; a generic one if it has none that can be shown. */
function WalletIcon({ icon }: { icon: string | null }) {
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
