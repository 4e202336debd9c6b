import { cryptoAmount } from '#domain/money.ts'
import { gatewayNames } from '#domain/sale/sale.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { cryptoText } from '#server/use-cases/sale/amount-texts.ts'
import type { PurchaseView } from '#server/use-cases/purchases/transaction-view.ts'
import type { UnusedText } from './en/purchase.ts'
import { button, fact, type Fact, type Letter, type MessagePart, questions } from './letter.ts'

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

/** What a gateway has sent back does not come again by itself, as most does on a chain. */
export function isAtGateway({ paymentToken }: PurchaseView): boolean {
  return gatewayNames.some((name) => name === paymentToken.rail)
}

/** What of a purchase's own coin could buy no tokens; null for what there is none of. */
export function unusedText({ refunds, paymentToken }: PurchaseView): UnusedText {
  const own = refunds.filter((each) => each.paymentToken?.id === paymentToken.id)
  const sumOf = (some: typeof own) => {
    const sum = cryptoAmount(some.reduce((total, { amount }) => total + amount, 0n))
    return sum === 0n ? null : cryptoText(sum, paymentToken)
  }
  return {
    owed: sumOf(own.filter(({ paidBy }) => paidBy === null)),
    sent: sumOf(own.filter(({ paidBy }) => paidBy !== null)),
  }
}
