import { normalizeEmail } from '#domain/accounts/account.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { idsOfNumber } from '#domain/settlement/purchase-number.ts'
import {
  type FoundPurchase,
  type PurchaseKey,
  type PurchaseSearch,
  searchPurchases as searchRows,
} from '#server/database/purchases/purchase-records.ts'
import { findPurchase } from '#server/database/purchases/purchases.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'

export type PurchaseFilter = Omit<PurchaseSearch, 'key'> & {
  /** What a purchase is looked up by; see `readKey`. */
  q?: string | undefined
  /** The first item of the page, inclusive. */
  after: string | null
  limit: number
}

/** `after` is the id of the first item of the next page. */
export type PurchaseSearchPage = { items: readonly FoundPurchase[]; after: string | null }

/**
 * Anybody's purchases. Refuses with `InvalidInput` for a cursor that is not a purchase, and with
 * `PermissionMissing` if an operator who may not see email addresses searches for one.
 */
export async function searchPurchases(
  { database }: Services,
  { q = '', after, limit, ...filter }: PurchaseFilter,
  operator: Operator,
): Promise<PurchaseSearchPage> {
  const key = readKey(q)
  if (key?.kind === 'email' && !operator.permissions.includes('people.read')) {
    throw new Refusal('PermissionMissing', {
      message:
        'You need the permission to see the people who buy (people.read) to search by email ' +
        'address. Search for the number of the purchase',
    })
  }
  const start = after === null ? null : await findPurchase(database, after)
  if (after !== null && start === null) {
    throw wrongField('after', 'Must be the id of a purchase')
  }
  const rows = await searchRows(
    database,
    { ...filter, key },
    start && { createdAt: start.terms.createdAt, usd: start.terms.usd, id: start.id },
    limit + 1,
  )
  return { items: rows.slice(0, limit), after: rows[limit]?.id ?? null }
}

/** A chain's addresses, hashes and our ids never look alike. */
function readKey(q: string): PurchaseKey | null {
  const text = q.trim()
  if (text === '') return null
  if (text.includes('@')) return { kind: 'email', email: normalizeEmail(text) }
  if (isId(text)) return { kind: 'id', id: text }
  const ids = idsOfNumber(text)
  return ids === null ? { kind: 'text', text } : { kind: 'number', ...ids }
}
