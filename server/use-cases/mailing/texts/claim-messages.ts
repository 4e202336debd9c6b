import { OWED_CHANGED } from '#domain/refunds/claim-states.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { instantText } from './instant-texts.ts'
import type { Letter, Message, MessagePart } from './letter.ts'
import { addressPart, button, fact, factOf, facts, head, questions, text, write } from './letter.ts'

/** What the mails about a claim say. Amounts come with their symbols. */
export type ClaimDetails = {
  /** The first of the purchases that it covers. */
  purchaseId: string
  amount: string
  /** Null if the sale pays it. */
  fee: string | null
  pays: string
  network: string
  address: string
  approvableAt: Date
  /** Why it was rejected. */
  reason: string | null
  /** Of the transfer that paid it; null before that. */
  hash: string | null
  explorerUrl: string | null
}

export type ClaimMail = (letter: Letter, claim: ClaimDetails) => Message

/** Shows the whole address, so that its owner can compare it, and how to stop a thief's claim. */
export const refundClaimedMessage: ClaimMail = (letter, claim) => {
  const { claimed: texts, labels } = letter.texts.refund
  return write(letter, {
    ...head(texts, claim.pays, texts.preview(claim.address)),
    figure: claim.pays,
    parts: [
      text(texts.text),
      addressPart(letter, claim.address),
      facts(
        ...figures(letter, claim),
        fact(labels.cancelBy, instantText(letter.language, claim.approvableAt)),
      ),
      text(texts.cancel),
      ...end(letter, claim),
    ],
  })
}

export const refundClaimCancelledMessage: ClaimMail = (letter, claim) => {
  const { cancelled: texts } = letter.texts.refund
  return write(letter, {
    ...head(texts, claim.amount),
    parts: [
      text(texts.text),
      addressPart(letter, claim.address),
      facts(...figures(letter, claim)),
      ...end(letter, claim),
    ],
  })
}

export const refundClaimRejectedMessage: ClaimMail = (letter, claim) => {
  const { rejected: texts } = letter.texts.refund
  return write(letter, {
    ...head(texts, claim.amount),
    parts: [
      text(texts.text),
      addressPart(letter, claim.address),
      facts(
        factOf(
          letter.texts.refund.labels.reason,
          claim.reason === OWED_CHANGED ? texts.owedChanged : claim.reason,
        ),
        ...figures(letter, claim),
      ),
      ...end(letter, claim),
    ],
  })
}

export const refundClaimPaidMessage: ClaimMail = (letter, claim) => {
  const { paid: texts } = letter.texts.refund
  const { hash, explorerUrl: url } = claim
  const transaction = letter.texts.receipt.labels.transaction
  return write(letter, {
    ...head(texts, claim.pays, texts.preview(hash ?? '')),
    figure: claim.pays,
    parts: [
      text(texts.text),
      addressPart(letter, claim.address),
      facts(
        ...figures(letter, claim),
        hash === null ? null : { label: transaction, value: hash, url, isAddress: true },
      ),
      text(letter.texts.purchase.refundPaid.wait),
      ...end(letter, claim),
    ],
  })
}

function figures({ texts: { refund, receipt } }: Letter, claim: ClaimDetails) {
  const { labels } = refund
  return [
    fact(labels.amount, claim.amount),
    factOf(labels.fee, claim.fee),
    fact(labels.pays, claim.pays),
    fact(receipt.labels.network, claim.network),
    fact(receipt.labels.number, purchaseNumber(claim.purchaseId)),
  ]
}

function end(letter: Letter, { purchaseId }: ClaimDetails): MessagePart[] {
  return [
    button(letter, letter.texts.refund.open, `/buy?id=${purchaseId}`),
    ...questions(letter, purchaseNumber(purchaseId)),
  ]
}
