import { orNull } from '#contract/codec.ts'
import { stageToWire } from '#contract/stage-codec.ts'
import { type LiveEvent, transactionsContract } from '#contract/transactions.ts'
import { createPurchase } from '#server/use-cases/purchases/create-purchase.ts'
import { getTransaction } from '#server/use-cases/purchases/read-transactions.ts'
import { type SeenChange, watchChanges } from '#server/use-cases/purchases/watch-changes.ts'
import type { Services } from '#server/services.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentPrices } from './present-sale.ts'
import { presentTransaction } from './present-transaction.ts'

export const transactionsRoutes = implement(transactionsContract, {
  createTransaction: async (services, { headers, body }, caller, client) => {
    const wanted = {
      usd: body.purchase_amount,
      paymentTokenId: body.purchase_token_id,
      idempotencyKey: headers['idempotency-key'] ?? null,
    }
    const made = await createPurchase(services, wanted, caller, client)
    return { data: presentTransaction(made, services) }
  },
  getTransaction: async (services, { params }, caller) =>
    presentTransaction(await getTransaction(services, params.id, caller), services),
  streamEvents: (services, _input, caller) => (emit) =>
    watchChanges(services, caller, (change) => emit(presentChange(change, services))),
})

function presentChange(change: SeenChange, services: Services): LiveEvent {
  switch (change.kind) {
    case 'transaction':
      return { type: 'transaction', transaction: presentTransaction(change.transaction, services) }
    case 'stage':
      return { type: 'stage', stage: orNull(change.stage, stageToWire) }
    case 'prices':
      return { type: 'prices', prices: presentPrices(change.prices) }
  }
}
