import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { deadlineText, instantText } from './instant-texts.ts'
import type { Letter, Message, MessagePart } from './letter.ts'
import { button, fact, facts, head, questions, text, write } from './letter.ts'

/** What the mails about a buyer's part of a distribution say. Amounts come with their symbols. */
export type DeliveryDetails = {
  tokens: string
  /** What hands them out. */
  tool: DistributionTool
  wallet: string
  /** Whether the claim is shown only once the wallet has signed. */
  isWithheld: boolean
  /** Where the tokens went; null before they did. */
  receiver: string | null
  expiresAt: Date | null
  /** Of the transaction that delivered them; null before that. */
  hash: string | null
  explorerUrl: string | null
}

export type DeliveryMail = (letter: Letter, delivery: DeliveryDetails) => Message

export const deliveryClaimableMessage: DeliveryMail = (letter, delivery) => {
  const { claimable, streamClaimable, warning } = letter.texts.delivery
  const { tool } = delivery
  const texts = isStream(tool) ? streamClaimable : claimable
  const hasOwnFee = !isStream(tool) && tool !== 'uniswap'
  return write(letter, {
    ...head(texts, delivery.tokens),
    figure: delivery.tokens,
    parts: [
      text(texts.text),
      ...(hasOwnFee ? [text(claimable.toolFee)] : []),
      ...claimingWalletOf(letter, delivery),
      ...deadlineOf(letter, delivery),
      text(warning),
      ...end(letter),
    ],
  })
}

export const deliveryDeliveredMessage: DeliveryMail = (letter, delivery) => {
  const { delivered, streamClaimed, labels } = letter.texts.delivery
  const texts = isStream(delivery.tool) ? streamClaimed : delivered
  const { wallet, receiver, hash, explorerUrl: url } = delivery
  const isElsewhere = receiver !== null && receiver.toLowerCase() !== wallet.toLowerCase()
  const transaction = letter.texts.receipt.labels.transaction
  return write(letter, {
    ...head(texts, delivery.tokens, texts.preview(wallet)),
    figure: delivery.tokens,
    parts: [
      text(texts.text),
      walletOf(letter, wallet),
      ...(isElsewhere ? [text(texts.elsewhere)] : []),
      facts(
        isElsewhere ? { label: labels.went, value: receiver, isAddress: true } : null,
        hash === null ? null : { label: transaction, value: hash, url, isAddress: true },
      ),
      ...end(letter),
    ],
  })
}

export const deliveryExpiringMessage: DeliveryMail = (letter, delivery) => {
  const { expiring: texts } = letter.texts.delivery
  const { expiresAt } = delivery
  const deadline = expiresAt === null ? '' : deadlineText(letter.language, expiresAt, letter.now)
  return write(letter, {
    ...head(texts, delivery.tokens, texts.preview(deadline)),
    figure: delivery.tokens,
    parts: [text(texts.text(deadline)), ...claimingWalletOf(letter, delivery), ...end(letter)],
  })
}

/** Whether the tool releases the tokens over time, so that a claim alone brings no tokens. */
const isStream = (tool: DistributionTool) => toolTraits[tool].releases

function walletOf({ texts: { delivery, receipt } }: Letter, address: string): MessagePart {
  return { kind: 'address', label: delivery.labels.wallet, address, plain: receipt.toCopy }
}

function claimingWalletOf(letter: Letter, { wallet, isWithheld }: DeliveryDetails): MessagePart[] {
  const { signFirst } = letter.texts.delivery
  return [walletOf(letter, wallet), ...(isWithheld ? [text(signFirst)] : [])]
}

function deadlineOf(letter: Letter, { expiresAt }: DeliveryDetails): MessagePart[] {
  if (expiresAt === null) return []
  const { labels } = letter.texts.delivery
  return [facts(fact(labels.claimBy, instantText(letter.language, expiresAt)))]
}

function end(letter: Letter): MessagePart[] {
  return [button(letter, letter.texts.delivery.open, '/'), ...questions(letter, null)]
}
