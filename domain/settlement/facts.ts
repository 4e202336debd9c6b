import type { CryptoAmount, Price, TokenAmount } from '#domain/money.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import type { Grant, RefundDue } from './outcome.ts'

/** One transfer to the purchase's address, as the chain last reported it. */
export type ReceiptFact = {
  id: string
  amount: CryptoAmount
  /**
   * What of it an operator has paid back; left out where nothing was. It still counts as received,
   * so that paying a refund changes no status, but it buys nothing and is owed no more.
   */
  paidBack?: CryptoAmount
  /**
   * What of it an operator has sent by hand, while the mark that says so waits for a second person;
   * left out where there is none. It buys nothing and stays owed, whatever else is derived.
   */
  beingSent?: Pick<RefundDue, 'amount' | 'why'>
  /** False if another token or chain arrived at the address. */
  isRightAsset: boolean
  /** `gone`: dropped by a reorganisation or replaced. A receipt that comes back is seen again. */
  state: 'seen' | 'confirmed' | 'gone'
  confirmations: number
  requiredConfirmations: number
  /** True once the receipt was confirmed, whatever became of it. */
  wasConfirmed: boolean
  seenAt: Date
  /** The sale when the receipt was first seen; null without a stage on sale or a price. */
  market: { stageId: string; tokenPrice: Price; cryptoPrice: Price } | null
  /** A stage was on sale, but its coin has had no price since; left out otherwise. */
  isUnpriced?: true
}

/** An operator's decision about a purchase. */
export type OperatorMark = { kind: 'failed' | 'held' | 'released'; at: Date }

/**
 * The whole purchase is undone, for good, and what was paid is owed back: its buyer has withdrawn
 * from it, or the sale has ended below its soft cap.
 */
export const reversalKinds = ['withdrawn', 'soft_cap'] as const
export type Reversal = { kind: (typeof reversalKinds)[number]; at: Date }

/** All that the status of a purchase depends on. */
export type PurchaseFacts = {
  terms: PurchaseTerms
  receipts: readonly ReceiptFact[]
  /** The `grants` of the last outcome; none at first. */
  grants: readonly Grant[]
  /**
   * The `reservationLeft` of the last outcome; `terms.reserved` at first. Tokens that went back to
   * the stage may be somebody else's by now, so they have to be asked for as a grant.
   */
  reservationLeft: TokenAmount
  /** True once a later purchase has the bonus for a first one, because this one had lapsed. */
  isFirstPurchaseBonusLost: boolean
  marks: readonly OperatorMark[]
  /** Null if it stands. */
  reversal: Reversal | null
  /** True if the gateway's API reports the payment as failed. */
  hasGatewayFailed: boolean
  /** The instant up to which the chain has been read; null before the first reading. */
  chainReadThrough: Date | null
}
