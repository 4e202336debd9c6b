import { networkName } from '#domain/chain.ts'
import { formatDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import type { Project } from '#domain/sale.ts'
import type { PurchaseView, RewardView } from '#server/use-cases/transaction-view.ts'
import { cryptoText, instantText, tokensText, usdText } from './amounts.ts'
import { button, facts, type Message, type MessagePart, type Sender, text } from './message.ts'

export type PurchaseMail = (sender: Sender, project: Project, purchase: PurchaseView) => Message

/** How to pay: the mail to come back to when the page is closed. */
export const purchaseCreatedMessage: PurchaseMail = (sender, project, purchase) => ({
  subject: `Your ${project.symbol} purchase is waiting for its payment`,
  preview: `Send ${due(purchase)} by ${instantText(purchase.expiresAt)}.`,
  heading: `Send ${due(purchase)}`,
  parts: [
    text(
      `We keep ${tokens(project, purchase)} for you until ${instantText(purchase.expiresAt)}. ` +
        'To make them yours, send exactly this amount to this address:',
    ),
    ...howToPay(purchase),
    openPurchase(sender, purchase),
  ],
})

export const purchaseProcessingMessage: PurchaseMail = (sender, project, purchase) => ({
  subject: `Your payment for ${project.symbol} has arrived`,
  preview: 'It is being confirmed by the network. There is nothing left to do.',
  heading: 'Your payment has arrived',
  parts: [
    text(
      `We have seen your payment on the ${networkName(purchase.paymentToken)} network. Once it has ` +
        `${confirmations(purchase)}, your tokens are credited and we write again. ` +
        'There is nothing left for you to do.',
    ),
    facts(['You get', tokens(project, purchase)], ['Purchase', purchase.id]),
    openPurchase(sender, purchase),
  ],
})

export const purchaseCompletedMessage: PurchaseMail = (sender, project, purchase) => ({
  subject: `${tokens(project, purchase)} are yours`,
  preview: 'Your purchase is complete.',
  heading: 'Your purchase is complete',
  parts: [
    text(`${tokens(project, purchase)} have been credited to your account.`),
    ...completedRemarks(purchase),
    facts(
      ['You paid', paid(purchase)],
      ['Price of a token', `$${priceText(purchase)}`],
      ['Tokens bought', tokensText(purchase.tokens.base, project)],
      ['Tokens in all, with bonuses', tokens(project, purchase)],
      ['Purchase', purchase.id],
    ),
    openPurchase(sender, purchase),
  ],
})

export const purchaseUnderpaidMessage: PurchaseMail = (sender, project, purchase) => ({
  subject: `${due(purchase)} are missing from your ${project.symbol} purchase`,
  preview: `Send the rest by ${instantText(purchase.expiresAt)}, to the same address.`,
  heading: 'A part of your payment is missing',
  parts: [
    text(
      'A payment has arrived, but it is less than what was asked for. Send the rest to the same ' +
        `address until ${instantText(purchase.expiresAt)}:`,
    ),
    ...howToPay(purchase),
    openPurchase(sender, purchase),
  ],
})

export const purchaseExpiredMessage: PurchaseMail = (sender, project, purchase) => ({
  subject: `Your ${project.symbol} purchase has expired`,
  preview: 'No payment arrived in time. Nothing was charged.',
  heading: 'Your purchase has expired',
  parts: [
    text(
      `No payment arrived until ${instantText(purchase.expiresAt)}, so the tokens are free again. ` +
        'If you did not pay, there is nothing to do, and you can buy again at any time.',
    ),
    text(
      'If you did pay, do not worry: the address is still watched, and a late payment is ' +
        'credited or listed for a refund.',
    ),
    button('Buy again', `${sender.publicUrl}/buy`),
  ],
})

export const purchaseFailedMessage: PurchaseMail = (sender, project, purchase) => ({
  subject: `Your ${project.symbol} purchase could not be completed`,
  preview: 'No tokens were credited. What you sent is listed for a refund.',
  heading: 'Your purchase could not be completed',
  parts: [
    text('No tokens were credited. Whatever you have sent is recorded and listed for a refund.'),
    facts(['Purchase', purchase.id]),
    openPurchase(sender, purchase),
  ],
})

export const purchaseReversedMessage: PurchaseMail = (sender, project, purchase) => ({
  subject: `Your payment for ${project.symbol} is no longer on the network`,
  preview: 'The network has taken it back. Please look at your wallet.',
  heading: 'Your payment is no longer on the network',
  parts: [
    text(
      `The ${networkName(purchase.paymentToken)} network has taken a payment of this purchase ` +
        'back, which happens when it rearranges its last blocks or when a payment is replaced. Most ' +
        'such payments come again by themselves; then everything goes on as if nothing had happened.',
    ),
    text('Please look into your wallet whether the payment is still under way.'),
    facts(['Purchase', purchase.id]),
    openPurchase(sender, purchase),
  ],
})

export function referralRewardedMessage(
  sender: Sender,
  project: Project,
  reward: RewardView,
): Message {
  const earned = tokensText(reward.tokens.total, project)
  return {
    subject: `You have earned ${earned}`,
    preview: 'A friend whom you invited has bought tokens.',
    heading: `You have earned ${earned}`,
    parts: [
      text(
        `A friend whom you invited has bought tokens. ${earned}, worth ${usdText(reward.usd)} at ` +
          'the price of the moment, have been credited to your account. Thank you!',
      ),
      button('See your referrals', `${sender.publicUrl}/referrals`),
    ],
  }
}

function howToPay(purchase: PurchaseView): MessagePart[] {
  const network = networkName(purchase.paymentToken)
  return [
    facts(
      ['Amount', due(purchase)],
      ['Address', purchase.address],
      ['Network', network],
      ['Purchase', purchase.id],
    ),
    text(
      `Send ${purchase.paymentToken.symbol} on the ${network} network only. Anything else that` +
        ' is sent there cannot be credited.',
    ),
  ]
}

function completedRemarks({ reason }: PurchaseView): MessagePart[] {
  switch (reason) {
    case 'underpaid':
      return [text('Less arrived than was asked for, so you get tokens for what arrived.')]
    case 'overpaid':
      return [
        text(
          'More arrived than was asked for. The surplus has bought tokens as far as that was ' +
            'possible; whatever it could not buy is listed for a refund.',
        ),
      ]
    case 'late':
      return [
        text(
          'The payment arrived after the purchase had expired, so it was credited at the price ' +
            'that gives fewer tokens, the old one or that of the moment.',
        ),
      ]
    case 'wrong_asset':
      return [text('Something else has arrived at the address as well. It is listed for a refund.')]
    case 'reorged':
    case 'held':
    case null:
      return []
  }
}

const due = ({ due: amount, paymentToken }: PurchaseView) => cryptoText(amount, paymentToken)

const tokens = (project: Project, purchase: PurchaseView) =>
  tokensText(purchase.tokens.total, project)

function confirmations({ requiredConfirmations: count }: PurchaseView): string {
  return count === 1 ? 'one confirmation' : `${count} confirmations`
}

function paid({ actualUsd, actualCrypto, initialUsd, initialCrypto, paymentToken }: PurchaseView) {
  const crypto = cryptoText(actualCrypto ?? initialCrypto, paymentToken)
  return `${crypto} (${usdText(actualUsd ?? initialUsd)})`
}

function priceText({ tokenPrice }: PurchaseView): string {
  return formatDecimal(tokenPrice, PRICE_DECIMALS)
}

function openPurchase({ publicUrl }: Sender, { id }: PurchaseView): MessagePart {
  return button('Open the purchase', `${publicUrl}/buy?id=${id}`)
}
