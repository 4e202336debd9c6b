import { Refusal } from '#domain/refusal.ts'
import { countOpenPurchases, isNextPurchaseFirst } from '#server/database/purchases.ts'
import type { Caller, Services } from '#server/services.ts'
import type { QuotedTerms } from './quote-purchase.ts'
import { requireRoom } from './require-room.ts'

/**
 * Refuses what the booking is going to refuse, before an address is asked for: one that is given in
 * vain is an index that is gone for ever, or a payment at a gateway that nobody will make. It
 * spares those and promises nothing, since the booking decides again, under its locks.
 */
export async function foreseeRefusal(
  services: Services,
  quoted: QuotedTerms,
  { userId }: Caller,
): Promise<void> {
  const { database, sale } = services
  const open = await countOpenPurchases(database, userId)
  if (open >= sale.purchases.openPerUserMax) throw new Refusal('TooManyOpenPurchases')
  await requireRoom(services, quoted, await isNextPurchaseFirst(database, userId))
}
