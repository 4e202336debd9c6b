import { Refusal } from '#domain/refusal.ts'
import { idsOfNumber } from '#domain/settlement/purchase-number.ts'

/**
 * Refuses a text that is no purchase's id. Buyers name a purchase by its number, which is not
 * enough to act by, since other purchases may have the same one.
 */
export function noSuchPurchase(text: string): Refusal {
  const message =
    idsOfNumber(text) === null
      ? 'There is no purchase with this id'
      : `${text} is the number of a purchase, and others may have the same one. Give its whole ` +
        `id: the list shows it, if you search for the number (purchases --q ${text})`
  return new Refusal('NotFound', { message })
}
