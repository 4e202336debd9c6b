import { useLivePrices } from '#web/features/purchase/price-queries.ts'
import { useLiveTransactions } from '#web/features/purchase/transaction-queries.ts'
import { useLiveStage } from '#web/features/stage/queries.ts'

/** Writes what the server tells of into the data that the pages show. */
export function LiveUpdates() {
  useLiveStage()
  useLiveTransactions()
  useLivePrices()
  return null
}
