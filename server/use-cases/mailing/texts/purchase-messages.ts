import { networkName } from '#domain/chains/chain.ts'
import { add, cryptoAmount, type TokenAmount } from '#domain/money.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { centsText, cryptoText, tokensText } from '#server/use-cases/sale/amount-texts.ts'
import type { PurchaseView, RewardView } from '#server/use-cases/purchases/transaction-view.ts'
import { deadlineText, instantText } from './instant-texts.ts'
import type { Letter, Message, MessagePart } from './letter.ts'
import { addressPart, button, fact, factOf, facts, head, questions, text, write } from './letter.ts'
import { isAtGateway, numberFact, purchasePage, unusedText } from './purchase-parts.ts'
import type { RefundDue } from '#domain/settlement/outcome.ts'

type PurchaseMail = (letter: Letter, purchase: PurchaseView) => Message

/** How to pay: the mail to come back to after the page is closed. */
export const purchaseCreatedMessage: PurchaseMail = (letter, purchase) => {
  const { created: texts } = letter.texts.purchase
  const deadline = timeToPay(letter, purchase)
  return write(letter, {
    ...head(texts, letter.sale.project.symbol, texts.preview(due(purchase), deadline)),
    figure: due(purchase),
    parts: [
      text(texts.text(tokens(letter, purchase), deadline)),
      ...howToPay(letter, purchase),
      text(texts.sameAddress),
      ...purchasePage(letter, purchase),
    ],
  })
}

export const purchaseUnderpaidMessage: PurchaseMail = (letter, purchase) => {
  const { underpaid: texts, restTooSmall } = letter.texts.purchase
  const deadline = timeToPay(letter, purchase)
  if (purchase.due === 0n) {
    return write(letter, {
      subject: restTooSmall.subject(letter.sale.project.symbol),
      preview: restTooSmall.preview(deadline),
      heading: restTooSmall.heading,
      parts: [
        text(restTooSmall.text(deadline)),
        facts(numberFact(letter, purchase)),
        ...purchasePage(letter, purchase),
      ],
    })
  }
  return write(letter, {
    subject: texts.subject(due(purchase), letter.sale.project.symbol),
    preview: texts.preview(deadline),
    heading: texts.heading,
    figure: due(purchase),
    parts: [
      text(texts.text(deadline)),
      ...howToPay(letter, purchase),
      ...purchasePage(letter, purchase),
    ],
  })
}

/** @param isTakenBack Whether it was complete, and what was credited is taken back. */
export function purchaseProcessingMessage(
  letter: Letter,
  purchase: PurchaseView,
  isTakenBack = false,
): Message {
  const { processing: texts } = letter.texts.purchase
  const { labels } = letter.texts.receipt
  const { paymentToken, receipts } = purchase
  const arrived = add(cryptoAmount(0n), ...receipts.map(({ amount }) => amount))
  const isMore = arrived > purchase.initialCrypto
  const seen = texts.seen(networkName(paymentToken))
  const next = whatHappensNext(letter, purchase, { isMore, isTakenBack })
  return write(letter, {
    ...head(purchase.reason === 'held' ? texts.held : texts, letter.sale.project.symbol),
    figure: arrived > 0n ? cryptoText(arrived, paymentToken) : null,
    parts: [
      text(`${seen} ${next} ${texts.nothingToDo}`),
      facts(
        !isMore && willBuyAll(purchase) ? fact(labels.youGet, tokens(letter, purchase)) : null,
        numberFact(letter, purchase),
      ),
      ...purchasePage(letter, purchase),
    ],
  })
}

/** Promises no more than is certain at that point. */
function whatHappensNext(
  { texts }: Letter,
  purchase: PurchaseView,
  { isMore, isTakenBack }: { isMore: boolean; isTakenBack: boolean },
): string {
  const { once, late, underpaid, overpaid, held, onItsWay } = texts.purchase.processing
  const confirmed = once(purchase.requiredConfirmations)
  switch (purchase.reason) {
    case 'late':
      return late(confirmed)
    case 'underpaid':
      return underpaid(confirmed)
    case 'held':
      return isTakenBack ? `${held.text} ${held.takenBack}` : held.text
    case 'overpaid':
    case 'wrong_asset':
    case 'withdrawn':
    case 'soft_cap':
    case 'reorged':
    case null:
      return isMore ? overpaid(confirmed) : onItsWay(confirmed)
  }
}

function willBuyAll({ reason }: PurchaseView): boolean {
  return reason !== 'late' && reason !== 'underpaid' && reason !== 'held'
}

/** More money came for a completed purchase, and it bought something. */
export function purchaseToppedUpMessage(
  letter: Letter,
  purchase: PurchaseView,
  gained: TokenAmount,
): Message {
  const { toppedUp: texts } = letter.texts.purchase
  const more = tokensText(gained, letter.sale.project)
  const crypto = cryptoText(purchase.actualCrypto ?? purchase.initialCrypto, purchase.paymentToken)
  const usd = centsText(purchase.actualUsd ?? purchase.initialUsd)
  return write(letter, {
    ...head(texts, more),
    figure: more,
    parts: [
      text(texts.text(unusedText(purchase))),
      facts(
        fact(texts.paidInAll, `${crypto} (${usd})`),
        fact(texts.tokensInAll, tokens(letter, purchase)),
        numberFact(letter, purchase),
      ),
      ...purchasePage(letter, purchase),
    ],
  })
}

export const purchaseExpiredMessage: PurchaseMail = (letter, purchase) => {
  if (purchase.reason === 'late') return paidLateMessage(letter, purchase)
  const { expired: texts, buyAgain } = letter.texts.purchase
  const at = instantText(letter.language, purchase.expiresAt)
  return write(letter, {
    ...head(texts, letter.sale.project.symbol, texts.preview(at)),
    parts: [
      text(texts.text(at)),
      text(texts.ifPaid),
      facts(numberFact(letter, purchase)),
      button(letter, buyAgain, '/buy'),
      ...questions(letter, purchaseNumber(purchase.id)),
    ],
  })
}

/** Before the payment is confirmed; after that comes the mail about the refund. */
const paidLateMessage: PurchaseMail = (letter, purchase) => {
  const { paidLate: texts } = letter.texts.purchase
  return write(letter, {
    ...head(texts, letter.sale.project.symbol),
    parts: [
      text(texts.text(instantText(letter.language, purchase.expiresAt))),
      facts(numberFact(letter, purchase)),
      ...purchasePage(letter, purchase),
    ],
  })
}

/** @param wasCredited Whether its buyer was told that its tokens were theirs, or may have been. */
export function purchaseFailedMessage(
  letter: Letter,
  purchase: PurchaseView,
  wasCredited = false,
): Message {
  const { reason, receipts, refunds } = purchase
  const { failed, missedSoftCap } = letter.texts.purchase
  const isWithoutMoney = reason === null && receipts.length === 0 && refunds.length === 0
  const ended = wasCredited ? failed.ended : failed
  const own = isWithoutMoney ? failed.withoutMoney : ended
  const texts = reason === 'soft_cap' ? missedSoftCap : { ...ended, ...own }
  const short = reason === 'underpaid' && !wasCredited ? unusedText(purchase).owed : null
  return write(letter, {
    ...head(texts, letter.sale.project.symbol),
    parts: [
      text(short === null ? texts.text : failed.short(short)),
      facts(numberFact(letter, purchase)),
      ...purchasePage(letter, purchase),
    ],
  })
}

export const purchaseReversedMessage: PurchaseMail = (letter, purchase) => {
  const { reversed: texts } = letter.texts.purchase
  const isOfGateway = isAtGateway(purchase)
  const gone = isOfGateway
    ? [texts.atGateway.text]
    : [texts.text(networkName(purchase.paymentToken)), texts.look]
  const left = purchase.status === 'completed' ? [texts.left(tokens(letter, purchase))] : []
  return write(letter, {
    ...head(isOfGateway ? texts.atGateway : texts, letter.sale.project.symbol),
    parts: [
      ...[...gone, ...left].map(text),
      facts(numberFact(letter, purchase)),
      ...purchasePage(letter, purchase),
    ],
  })
}

/** @param isAgain Whether it had been taken back: its tokens are worth something else by now. */
export function referralRewardedMessage(
  letter: Letter,
  reward: RewardView,
  isAgain = false,
): Message {
  const { rewarded, rewardedAgain, seeReferrals } = letter.texts.purchase
  const earned = tokensText(reward.tokens.total, letter.sale.project)
  return write(letter, {
    ...head(isAgain ? rewardedAgain : rewarded, earned),
    figure: earned,
    parts: [
      text(isAgain ? rewardedAgain.text : rewarded.text(centsText(reward.usd))),
      button(letter, seeReferrals, '/referrals'),
    ],
  })
}

export function referralRewardReversedMessage(letter: Letter, reward: RewardView): Message {
  const { rewardReversed: texts, seeReferrals } = letter.texts.purchase
  const earned = tokensText(reward.tokens.total, letter.sale.project)
  return write(letter, {
    ...head(texts, earned),
    parts: [text(texts.text(earned)), button(letter, seeReferrals, '/referrals')],
  })
}

/** The network comes before the address, since money sent on another one is lost. */
function howToPay(letter: Letter, purchase: PurchaseView): MessagePart[] {
  const { labels } = letter.texts.receipt
  const { paymentToken, address } = purchase
  const network = networkName(paymentToken)
  const isWhole = purchase.due === purchase.initialCrypto
  return [
    text(letter.texts.purchase.onlyOn(paymentToken.symbol, network)),
    addressPart(letter, address),
    facts(
      fact(labels.amount, due(purchase)),
      isWhole ? fact(labels.usd, centsText(purchase.initialUsd)) : null,
      fact(labels.network, network),
      fact(labels.timeToPay, timeToPay(letter, purchase)),
      fact(labels.youGet, tokens(letter, purchase)),
      numberFact(letter, purchase),
    ),
  ]
}

const due = ({ due: amount, paymentToken }: PurchaseView) => cryptoText(amount, paymentToken)

const tokens = ({ sale }: Letter, purchase: PurchaseView) =>
  tokensText(purchase.tokens.total, sale.project)

const timeToPay = ({ language, now }: Letter, { expiresAt }: PurchaseView) =>
  deadlineText(language, expiresAt, now)

/** What bought tokens until the purchase was undone, so that it cannot be said to buy none. */
const isOfReversal = ({ why }: Pick<RefundDue, 'why'>) => why === 'withdrawn' || why === 'soft_cap'

/** Money that has arrived and is owed back, for each possible reason. */
export function purchaseRefundListedMessage(
  letter: Letter,
  purchase: PurchaseView,
  refunds: readonly RefundDue[],
): Message {
  const { refundListed: texts } = letter.texts.purchase
  const ofCoin = refunds.filter(({ why }) => why !== 'wrong_asset')
  const sum = cryptoAmount(ofCoin.reduce((total, { amount }) => total + amount, 0n))
  const owed = sum > 0n ? cryptoText(sum, purchase.paymentToken) : null
  const own = refunds.some(isOfReversal) ? texts.reversed : texts
  return write(letter, {
    subject: texts.subject(owed, letter.sale.project.symbol),
    preview: own.preview,
    heading: texts.heading,
    figure: owed,
    parts: [
      text(own.text),
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
  /** The amount with its symbol, and its network; null for an asset that the sale does not know. */
  amount: string | null
  network: string | null
  why: RefundDue['why']
  hash: string
  /** Where a person can look at the transaction; null if there is no such place. */
  explorerUrl: string | null
}

/** Money that was owed back is on its way. */
export function purchaseRefundPaidMessage(
  letter: Letter,
  purchase: PurchaseView,
  { amount, network, why, hash, explorerUrl }: RefundPaid,
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
      text(isOfReversal({ why }) ? texts.reversed : texts.text),
      facts(
        factOf(texts.paidBack, amount),
        { label: labels.transaction, value: hash, url: explorerUrl, isAddress: true },
        factOf(labels.network, network),
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

/** When it arrived, and the address to which it is acknowledged. */
export type WithdrawalStatement = { at: Date; email: string; isErased: boolean }

/**
 * Acknowledges a withdrawal with its content, and the date and time at which it arrived, on a
 * durable medium (Directive 2011/83/EU, Article 11a(4)). Whose account is erased can open no page
 * and gets no other mail, so they are asked to write.
 */
export function purchaseWithdrawnMessage(
  letter: Letter,
  purchase: PurchaseView,
  { at, email, isErased }: WithdrawalStatement,
): Message {
  const { withdrawn: texts } = letter.texts.purchase
  const { labels } = letter.texts.receipt
  const { language, sale, name } = letter
  const arrived = instantText(language, at)
  const isPaid = purchase.receipts.length > 0 || purchase.refunds.length > 0
  // While an operator holds the purchase, nothing is owed back.
  const owed = isPaid ? (isErased ? texts.owedToErased : texts.owed) : null
  const held = isErased ? null : texts.held
  const money = purchase.reason === 'held' ? held : owed
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
      text(money === null ? texts.tokens : `${texts.tokens} ${money}`),
      ...(isErased ? whereToWrite(letter, purchase) : purchasePage(letter, purchase)),
    ],
  })
}

/** The sale's site, if it names no address. */
function whereToWrite(letter: Letter, { id }: PurchaseView): MessagePart[] {
  const asked = questions(letter, purchaseNumber(id))
  return asked.length > 0 ? asked : [text(letter.sale.project.mainSiteUrl)]
}
