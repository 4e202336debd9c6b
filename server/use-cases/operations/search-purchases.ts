import { normalizeEmail } from '#domain/accounts/account.ts'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import { wrongField } from '#domain/refusal.ts'
import {
  type FoundPurchase,
  searchPurchases as searchRows,
} from '#server/database/purchases/purchase-records.ts'
import { findPurchase } from '#server/database/purchases/purchases.ts'
import type { Services } from '#server/services.ts'

export type PurchaseFilter = {
  status?: PurchaseStatus | undefined
  email?: string | undefined
  id?: string | undefined
  address?: string | undefined
  /** The first item of the page, inclusive. */
  after?: string | undefined
  limit: number
}

/** Newest first; `after` is the id of the first item of the next page. */
export type PurchaseSearchPage = { items: readonly FoundPurchase[]; after: string | null }

/** Purchases of anybody. Refuses with `InvalidInput` for a cursor that is no purchase. */
export async function searchPurchases(
  { database }: Services,
  filter: PurchaseFilter,
): Promise<PurchaseSearchPage> {
  const start = filter.after === undefined ? null : await findPurchase(database, filter.after)
  if (filter.after !== undefined && start === null) {
    throw wrongField('after', 'Must be the id of a purchase')
  }
  const rows = await searchRows(
    database,
    {
      status: filter.status ?? null,
      email: filter.email === undefined ? null : normalizeEmail(filter.email),
      id: filter.id ?? null,
      address: filter.address?.trim() ?? null,
    },
    start === null ? null : { createdAt: start.terms.createdAt, id: start.id },
    filter.limit + 1,
  )
  return { items: rows.slice(0, filter.limit), after: rows[filter.limit]?.id ?? null }
}
