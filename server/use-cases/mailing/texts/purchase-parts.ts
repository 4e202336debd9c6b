import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import type { PurchaseView } from '#server/use-cases/purchases/transaction-view.ts'
import { button, type Letter, questions } from './letter.ts'
import { fact, type Fact, type MessagePart } from './message.ts'

export function numberFact({ texts }: Letter, { id }: Pick<PurchaseView, 'id'>): Fact {
  return fact(texts.receipt.labels.number, purchaseNumber(id))
}

/** How the mails about a purchase end: with a link to its page, and whom to ask about it. */
export function purchasePage(letter: Letter, { id }: Pick<PurchaseView, 'id'>): MessagePart[] {
  return [
    button(letter, letter.texts.purchase.open, `/buy?id=${id}`),
    ...questions(letter, purchaseNumber(id)),
  ]
}
