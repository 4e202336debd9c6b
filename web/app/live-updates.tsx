import { useLiveOffer, useLivePrices } from '#web/features/purchase/buy/price-queries.ts'
import { useLiveTransactions } from '#web/features/purchase/transactions/transaction-queries.ts'
import { useLiveReferrals } from '#web/features/referral/queries.ts'
import { useLiveStage } from '#web/features/stage/queries.ts'
import { useLiveStream } from '#web/session/live-events.tsx'
import { ConnectionNotice } from './connection-notice.tsx'

/** Writes what the server tells of into the data that the pages show, and says when it cannot. */
export function LiveUpdates() {
  useLiveStage()
  useLiveTransactions()
  useLivePrices()
  useLiveOffer()
  useLiveReferrals()
  useLiveStream()
  return <ConnectionNotice />
}
