import { WifiOff } from 'lucide-react'
import { useLiveOffer, useLivePrices } from '#web/features/purchase/buy/price-queries.ts'
import { useLiveTransactions } from '#web/features/purchase/transactions/transaction-queries.ts'
import { useLiveReferrals } from '#web/features/referral/queries.ts'
import { useLiveStage } from '#web/features/stage/queries.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useLiveStream, useIsConnectionLost } from '#web/session/live-events.tsx'

/**
 * Writes the events of the server into the cached data, and shows a notice while there are none.
 */
export function LiveUpdates() {
  useLiveStage()
  useLiveTransactions()
  useLivePrices()
  useLiveOffer()
  useLiveReferrals()
  useLiveStream()
  return <ConnectionNotice />
}

/** A notice that the data may be out of date; it lies over the page, so that nothing moves. */
function ConnectionNotice() {
  const { layout } = useMessages()
  const isLost = useIsConnectionLost()
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-16 z-20 flex justify-center p-2 print:hidden"
    >
      {isLost && (
        <p className="flex animate-appear items-center gap-2 rounded-pill border border-edge bg-raised px-4 py-1.5 text-14">
          <WifiOff size={16} aria-hidden="true" className="shrink-0 text-warning" />
          {layout.connectionLost}
        </p>
      )}
    </div>
  )
}
