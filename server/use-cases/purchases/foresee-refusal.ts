import { isNextPurchaseFirst } from '#server/database/purchases/purchases.ts'
import type { Services } from '#server/services.ts'
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
  buyer: { userId: string; connectionHash: Uint8Array },
): Promise<void> {
  const isFirst = await isNextPurchaseFirst(services.database, buyer.userId)
  await requireRoom(services, quoted, isFirst, buyer)
}
