import { Refusal } from '#domain/refusal.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { findTransactionView, type TransactionView } from './transaction-view.ts'

/** One of the caller's own transactions. Refuses with `NotFound`, another user's too. */
export async function getTransaction(
  services: Services,
  id: string,
  caller: Caller,
): Promise<TransactionView> {
  const view = isId(id) ? await findTransactionView(services, id) : null
  if (view === null || view.userId !== caller.userId) throw new Refusal('NotFound')
  return view
}
