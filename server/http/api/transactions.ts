import { transactionsContract } from '#contract/transactions.ts'
import { createPurchase } from '#server/use-cases/purchases/create-purchase.ts'
import { getTransaction } from '#server/use-cases/purchases/get-transaction.ts'
import { watchChanges } from '#server/use-cases/purchases/watch-changes.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentChange } from './present-change.ts'
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
