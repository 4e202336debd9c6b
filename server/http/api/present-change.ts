import type { LiveEvent } from '#contract/transactions.ts'
import type { Services } from '#server/services.ts'
import type { SeenChange } from '#server/use-cases/purchases/watch-changes.ts'
import { presentPrices, presentStage } from './present-sale.ts'
import { presentTransaction } from './present-transaction.ts'

export function presentChange(change: SeenChange, services: Services): LiveEvent {
  switch (change.kind) {
    case 'transaction':
      return { type: 'transaction', transaction: presentTransaction(change.transaction, services) }
    case 'stage':
      return { type: 'stage', stage: change.stage === null ? null : presentStage(change.stage) }
    case 'prices':
      return { type: 'prices', prices: presentPrices(change.prices) }
  }
}
