import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLiveOffer, useLivePrices } from '#web/features/purchase/buy/price-queries.ts'
import { useLiveTransactions } from '#web/features/purchase/transactions/transaction-queries.ts'
import { useLiveReferrals } from '#web/features/referral/queries.ts'
import { useLiveStage } from '#web/features/stage/live-stage.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useIsConnectionLost, useLiveEvents } from '#web/session/live-events.tsx'
import { useLiveStream } from '#web/session/use-live-stream.ts'

/**
 * Writes the server's events into the cached data, and shows a notice while the connection is lost.
 */
export function LiveUpdates() {
  useLiveSale()
  useLiveStage()
  useLiveTransactions()
  useLivePrices()
  useLiveOffer()
  useLiveReferrals()
  useLiveStream()
  return <ConnectionNotice />
}

/** Pages that receive the same event spread their requests over this time. */
const SALE_SPREAD_MS = 1000

/** Another sale file may change anything on the page, so everything is refetched. */
function useLiveSale() {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ask = () => {
    timer.current = undefined
    void queries.invalidateQueries()
  }
  useLiveEvents({
    onEvent: (event) => {
      if (event.type === 'sale') timer.current ??= setTimeout(ask, Math.random() * SALE_SPREAD_MS)
    },
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}

/** A notice that the data may be out of date; it overlays the page, so that nothing moves. */
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
          <WifiOff size={16} className="shrink-0 text-warning" />
          {layout.connectionLost}
        </p>
      )}
    </div>
  )
}
