import { networkName } from '#domain/chains/chain.ts'
import type { PurchaseView } from '#server/use-cases/purchases/transaction-view.ts'
import { button, facts, type Message, type Sender, text } from './message.ts'

export type RefundPaid = {
  /** The amount with its symbol; null where it was in something that the sale does not know. */
  amount: string | null
  hash: string
  /** Where a person can look at the transaction; null where there is no such place. */
  explorerUrl: string | null
}

/** Money that was owed back is on its way. */
export function purchaseRefundPaidMessage(
  sender: Sender,
  project: { symbol: string },
  purchase: PurchaseView,
  { amount, hash, explorerUrl }: RefundPaid,
): Message {
  const what = amount ?? 'A payment'
  const have = amount === null ? 'has' : 'have'
  return {
    subject: `${what} of your ${project.symbol} purchase ${have} been paid back to you`,
    preview: `By the transaction ${hash}.`,
    heading: 'Your refund has been paid',
    parts: [
      text(`${what} that your purchase could not use ${have} been paid back by this transaction:`),
      facts(
        ...(amount === null ? [] : [['Paid back', amount] as const]),
        ['Transaction', hash],
        ['Network', networkName(purchase.paymentToken)],
        ['Purchase', purchase.id],
      ),
      text('The network may take some time until it shows in your wallet.'),
      explorerUrl === null
        ? button('Open the purchase', `${sender.publicUrl}/buy?id=${purchase.id}`)
        : button('See the transaction', explorerUrl),
    ],
  }
}
