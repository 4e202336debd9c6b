import { networkName } from '#domain/chains/chain.ts'
import { cryptoAmount } from '#domain/money.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { cryptoText } from '#server/use-cases/sale/amount-texts.ts'
import type { PurchaseView } from '#server/use-cases/purchases/transaction-view.ts'
import { head, type Letter, questions, write } from './letter.ts'
import { fact, factOf, facts, type Message, text } from './message.ts'
import { numberFact, purchasePage } from './purchase-parts.ts'

/** Money that has arrived and buys nothing, for each possible reason. */
export function purchaseRefundListedMessage(
  letter: Letter,
  purchase: PurchaseView,
  refunds: readonly RefundDue[],
): Message {
  const { refundListed: texts } = letter.texts.purchase
  const own = refunds.filter(({ why }) => why !== 'wrong_asset')
  const sum = cryptoAmount(own.reduce((total, { amount }) => total + amount, 0n))
  const owed = sum > 0n ? cryptoText(sum, purchase.paymentToken) : null
  return write(letter, {
    subject: texts.subject(owed, letter.sale.project.symbol),
    preview: texts.preview,
    heading: texts.heading,
    figure: owed,
    parts: [
      text(texts.text),
      ...[...new Set(refunds.map(({ why }) => why))].map((why) => text(texts.reasons[why])),
      facts(factOf(texts.owed, owed), numberFact(letter, purchase)),
      ...purchasePage(letter, purchase),
    ],
  })
}

/**
 * A token that the sale does not take has come. The mail does not name it: a token's name is
 * whatever its maker chose.
 */
export function purchaseForeignTransferMessage(letter: Letter, purchase: PurchaseView): Message {
  const { foreignTransfer: texts } = letter.texts.purchase
  return write(letter, {
    ...head(texts, letter.sale.project.symbol),
    parts: [
      text(texts.text),
      text(texts.ifYours),
      facts(numberFact(letter, purchase)),
      ...purchasePage(letter, purchase),
    ],
  })
}

export type RefundPaid = {
  /** The amount with its symbol; null for an asset that the sale does not know. */
  amount: string | null
  hash: string
  /** Where a person can look at the transaction; null if there is no such place. */
  explorerUrl: string | null
}

/** Money that was owed back is on its way. */
export function purchaseRefundPaidMessage(
  letter: Letter,
  purchase: PurchaseView,
  { amount, hash, explorerUrl }: RefundPaid,
): Message {
  const { refundPaid: texts, seeTransaction } = letter.texts.purchase
  const { labels } = letter.texts.receipt
  const hint = letter.texts.letter.orOpen
  return write(letter, {
    subject: texts.subject(amount, letter.sale.project.symbol),
    preview: texts.preview(hash),
    heading: texts.heading,
    figure: amount,
    parts: [
      text(texts.text),
      facts(
        factOf(texts.paidBack, amount),
        { label: labels.transaction, value: hash, url: explorerUrl, isAddress: true },
        fact(labels.network, networkName(purchase.paymentToken)),
        numberFact(letter, purchase),
      ),
      text(texts.wait),
      ...(explorerUrl === null
        ? purchasePage(letter, purchase)
        : [
            { kind: 'button' as const, label: seeTransaction, url: explorerUrl, hint },
            ...questions(letter, purchaseNumber(purchase.id)),
          ]),
    ],
  })
}
