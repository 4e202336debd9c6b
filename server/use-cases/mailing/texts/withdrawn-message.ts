import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { cryptoText, tokensText } from '#server/use-cases/sale/amount-texts.ts'
import type { PurchaseView } from '#server/use-cases/purchases/transaction-view.ts'
import { instantText } from './instant-texts.ts'
import { type Letter, write } from './letter.ts'
import { fact, factOf, facts, type Message, text } from './message.ts'
import { numberFact, purchasePage } from './purchase-parts.ts'

/** When it arrived, and the address to which it is acknowledged. */
export type WithdrawalStatement = { at: Date; email: string }

/**
 * Acknowledges a withdrawal with its content, and the date and time at which it arrived, on a
 * durable medium (Directive 2011/83/EU, Article 11a(4)).
 */
export function purchaseWithdrawnMessage(
  letter: Letter,
  purchase: PurchaseView,
  { at, email }: WithdrawalStatement,
): Message {
  const { withdrawn: texts } = letter.texts.purchase
  const { labels } = letter.texts.receipt
  const { language, sale, name } = letter
  const arrived = instantText(language, at)
  return write(letter, {
    subject: texts.subject(sale.project.symbol, purchaseNumber(purchase.id)),
    preview: texts.preview(arrived),
    heading: texts.heading,
    parts: [
      text(texts.text(arrived)),
      facts(
        fact(texts.statement, texts.statementText),
        factOf(labels.buyer, name === null ? null : `${name.first} ${name.last}`),
        numberFact(letter, purchase),
        fact(texts.contract, instantText(language, purchase.createdAt)),
        fact(labels.youGet, tokensText(purchase.tokens.total, sale.project)),
        fact(labels.amount, cryptoText(purchase.initialCrypto, purchase.paymentToken)),
        fact(texts.arrived, arrived),
        fact(texts.confirmedTo, email),
      ),
      text(texts.owed),
      ...purchasePage(letter, purchase),
    ],
  })
}
