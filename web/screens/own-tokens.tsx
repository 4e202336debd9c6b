import type { ReactNode } from 'react'
import { DeliveryCard } from '#web/features/delivery/delivery-card.tsx'
import { useDeliveries } from '#web/features/delivery/delivery-queries.ts'
import { WalletInvite } from '#web/features/wallet/wallet-invite.tsx'
import { useOwnWallet } from '#web/features/wallet/wallet-queries.ts'

interface OwnTokensProps {
  symbol: string
  /** Shown until it is known where the tokens are. */
  skeleton: ReactNode
}

/** Where the buyer's tokens are and where they go: two features, each of which needs the other. */
export function OwnTokens({ symbol, skeleton }: OwnTokensProps) {
  const wallet = useOwnWallet()
  const deliveries = useDeliveries()
  if (wallet.isPending || deliveries.isPending) return skeleton
  // Then the card itself asks for a wallet.
  const isListClosed = deliveries.data?.waiting?.is_frozen ?? false
  return (
    <>
      {!isListClosed && <WalletInvite symbol={symbol} />}
      <DeliveryCard symbol={symbol} deliveries={deliveries} />
    </>
  )
}
