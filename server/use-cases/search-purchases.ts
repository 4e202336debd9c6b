import { normalizeEmail } from '#domain/account.ts'
import type { PurchaseStatus } from '#domain/purchase.ts'
import { Refusal } from '#domain/refusal.ts'
import {
  type FoundPurchase,
  searchPurchases as searchRows,
} from '#server/database/purchase-search.ts'
import { findPurchase } from '#server/database/purchases.ts'
import type { Services } from '#server/services.ts'

export type PurchaseWish = {
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
  wish: PurchaseWish,
): Promise<PurchaseSearchPage> {
  const start = wish.after === undefined ? null : await findPurchase(database, wish.after)
  if (wish.after !== undefined && start === null) {
    const message = 'Must be the id of a purchase'
    throw new Refusal('InvalidInput', { errors: [{ path: 'after', message }] })
  }
  const rows = await searchRows(
    database,
    {
      status: wish.status ?? null,
      email: wish.email === undefined ? null : normalizeEmail(wish.email),
      id: wish.id ?? null,
      address: wish.address?.trim() ?? null,
    },
    start === null ? null : { createdAt: start.created_at, id: start.id },
    wish.limit + 1,
  )
  return { items: rows.slice(0, wish.limit), after: rows[wish.limit]?.id ?? null }
}
