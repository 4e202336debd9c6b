import { networkName } from '#domain/chains/chain.ts'
import { cryptoAmount, formatDecimal, PRICE_DECIMALS, type TokenAmount } from '#domain/money.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'
import type { Project } from '#domain/sale/sale.ts'
import {
  cryptoText,
  instantText,
  tokensText,
  usdText,
} from '#server/use-cases/sale/amount-texts.ts'
import type { PurchaseView, RewardView } from '#server/use-cases/purchases/transaction-view.ts'
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
      `We have seen your payment on the ${networkName(purchase.paymentToken)} network. ` +
        `${whatHappensNext(purchase)} There is nothing left for you to do.`,
    ),
    ...(willBuyAll(purchase) ? [facts(['You get', tokens(project, purchase)])] : []),
    facts(['Purchase', purchase.id]),
    openPurchase(sender, purchase),
  ],
})

/** Promises no more than what is certain by then. */
function whatHappensNext(purchase: PurchaseView): string {
  const once = `Once it has ${confirmations(purchase)}`
  switch (purchase.reason) {
    case 'late':
      return (
        `It came after the time to pay was over. ${once}, you get tokens for it at the price that ` +
        'gives fewer, the old one or that of the moment, as far as there are any. Whatever it ' +
        'cannot buy is listed for a refund. Either way we write again.'
      )
    case 'underpaid':
      return (
        `It is less than what was asked for. ${once}, you get tokens for what arrived, or it is ` +
        'listed for a refund where that is too little. Either way we write again.'
      )
    case 'held':
      return 'It is being looked at by a person, and we write again when that is done.'
    case 'overpaid':
    case 'wrong_asset':
    case 'reorged':
    case null:
      return `${once}, your tokens are credited and we write again.`
  }
}

function willBuyAll({ reason }: PurchaseView): boolean {
  return reason !== 'late' && reason !== 'underpaid' && reason !== 'held'
}

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

/** More money came for a purchase that was complete, and it has bought something. */
export function purchaseToppedUpMessage(
  sender: Sender,
  project: Project,
  purchase: PurchaseView,
  gained: TokenAmount,
): Message {
  const more = tokensText(gained, project)
  return {
    subject: `${more} more are yours`,
    preview: 'Another payment has arrived for a purchase that was complete.',
    heading: 'Your purchase has grown',
    parts: [
      text(
        `Another payment has arrived for a purchase that was complete. ${more} more have been ` +
          'credited to your account. Whatever it could not buy is listed for a refund.',
      ),
      facts(
        ['You paid in all', paid(purchase)],
        ['Tokens in all, with bonuses', tokens(project, purchase)],
        ['Purchase', purchase.id],
      ),
      openPurchase(sender, purchase),
    ],
  }
}

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

export const purchaseExpiredMessage: PurchaseMail = (sender, project, purchase) =>
  purchase.reason === 'late'
    ? paidLateMessage(sender, project, purchase)
    : {
        subject: `Your ${project.symbol} purchase has expired`,
        preview: `No confirmed payment came by ${instantText(purchase.expiresAt)}.`,
        heading: 'Your purchase has expired',
        parts: [
          text(
            `No confirmed payment came by ${instantText(purchase.expiresAt)}, so the tokens are ` +
              'free again. If you did not pay, there is nothing to do, and you can buy again at ' +
              'any time.',
          ),
          text(
            'If you did pay, do not worry: the address is still watched, and a late payment is ' +
              'credited or listed for a refund.',
          ),
          button('Buy again', `${sender.publicUrl}/buy`),
        ],
      }

/** Before it is confirmed; then the mail about the refund follows. */
const paidLateMessage: PurchaseMail = (sender, project, purchase) => ({
  subject: `Your payment for ${project.symbol} came too late`,
  preview: 'It can buy no tokens. Once it is confirmed, it is listed for a refund.',
  heading: 'Your payment came too late',
  parts: [
    text(
      `A payment of yours has arrived, but after ${instantText(purchase.expiresAt)}, and it can buy ` +
        'no tokens any more. Once the network has confirmed it, it is listed for a refund and we ' +
        'write again.',
    ),
    facts(['Purchase', purchase.id]),
    openPurchase(sender, purchase),
  ],
})

/** Money that has arrived and buys nothing, with each reason there is. */
export function purchaseRefundListedMessage(
  sender: Sender,
  project: Project,
  purchase: PurchaseView,
  refunds: readonly RefundDue[],
): Message {
  const own = refunds.filter(({ why }) => why !== 'wrong_asset')
  const owed = cryptoAmount(own.reduce((sum, { amount }) => sum + amount, 0n))
  const what = owed > 0n ? cryptoText(owed, purchase.paymentToken) : 'A payment'
  return {
    subject: `${what} of your ${project.symbol} purchase ${owed > 0n ? 'are' : 'is'} owed back to you`,
    preview: 'It has arrived, but could not buy tokens. It is listed for a refund.',
    heading: 'A refund is due to you',
    parts: [
      text('This has arrived and could not buy tokens, so it is listed for a refund:'),
      ...[...new Set(refunds.map(({ why }) => why))].map((why) => text(REFUND_REASONS[why])),
      facts(...(owed > 0n ? ([['Owed back', what]] as const) : []), ['Purchase', purchase.id]),
      openPurchase(sender, purchase),
    ],
  }
}

const REFUND_REASONS: Record<RefundDue['why'], string> = {
  underpaid: 'A payment that was less than what was asked for, and too little to buy tokens.',
  overpaid: 'A payment that was more than what was asked for: the part that found no tokens.',
  late: 'A payment that came after the time to pay was over: the part that found no tokens.',
  wrong_asset: 'A payment in something else than what this purchase asked for.',
  failed: 'A payment for tokens that could not be credited.',
}

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
    ...(purchase.status === 'completed'
      ? [text(`What is left of the purchase has bought ${tokens(project, purchase)}.`)]
      : []),
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
          'A payment arrived after the purchase had expired, so it was credited at the price ' +
            'that gives fewer tokens, the old one or that of the moment. Whatever it could not buy ' +
            'is listed for a refund.',
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
