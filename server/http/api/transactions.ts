import { orNull } from '#contract/codec.ts'
import { stageToWire } from '#contract/stage-codec.ts'
import { type LiveEvent, transactionsContract } from '#contract/transactions.ts'
import { createPurchase } from '#server/use-cases/purchases/create-purchase.ts'
import { getTransaction } from '#server/use-cases/purchases/read-transactions.ts'
import {
  type SeenMarket,
  watchDelivery,
  watchMarket,
  watchTransactions,
} from '#server/use-cases/purchases/watch-changes.ts'
import { withdrawPurchase } from '#server/use-cases/reversals/withdraw-purchase.ts'
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
  withdrawTransaction: async (services, { params, body }, caller) =>
    presentTransaction(await withdrawPurchase(services, { ...params, ...body }, caller), services),
  streamEvents: (services, _input, caller) => ({
    own: (emit) => {
      const stops = [
        watchTransactions(services, caller, (seen) =>
          emit({ type: 'transaction', transaction: presentTransaction(seen, services) }),
        ),
        watchDelivery(services, caller, () => emit({ type: 'delivery' })),
      ]
      return () => stops.forEach((stop) => stop())
    },
    forAll: (emit) => watchMarket(services, (seen) => emit(presentMarket(seen))),
  }),
})

function presentMarket(seen: SeenMarket): LiveEvent {
  if (seen.kind === 'sale') return { type: 'sale' }
  return seen.kind === 'stage'
    ? { type: 'stage', stage: orNull(seen.stage, stageToWire) }
    : { type: 'prices', prices: presentPrices(seen.prices) }
}
