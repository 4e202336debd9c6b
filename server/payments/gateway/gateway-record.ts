import type { CryptoAmount } from '#domain/money.ts'
import type { SightedTransfer, WebhookHint } from '#server/ports/rail.ts'

/** A payment at a gateway that it is time to ask about. */
export type AskedPayment = {
  id: bigint
  purchaseId: string
  paymentTokenId: string
  paymentId: string
  /** False for a further one that the gateway made of a deposit to the same address. */
  isOwn: boolean
  /** The payment that was asked for; null where the answer to that was lost. */
  ownPaymentId: string | null
  createdAt: Date
  /** When the gateway was last asked; null at first. */
  askedAt: Date | null
  /** When the purchase expires; null where it was never booked. */
  expiresAt: Date | null
  /** Until when nobody else asks. */
  heldUntil: Date
}

export type RecordedDeposit = {
  transactionHash: string
  index: number
  paymentTokenId: string | null
  amount: CryptoAmount
  isConfirmed: boolean
  isGone: boolean
  sentAt: Date
}

/** What the gateway answered about a payment. */
export type RecordedAnswer = {
  /** Before the question was sent. */
  askedAt: Date
  askNextAt: Date
  status: string
  hasFailed: boolean
  furtherIds: readonly string[]
  /** All there are: one that was recorded and is not among them is gone. */
  deposits: readonly RecordedDeposit[]
}

/** What was asked of gateways, and what they answered. */
export type GatewayRecord = {
  /** Notes that a payment is about to be asked for, so that a lost answer leaves a trace. */
  begin(purchaseId: string, paymentTokenId: string, at: Date): Promise<void>
  /** Stores the answer. False where the address was given to another purchase already. */
  made(purchaseId: string, made: { paymentId: string; address: string }): Promise<boolean>
  /** Takes payments that are due, so that no other instance asks about them meanwhile. */
  claimDue(now: Date, countMax: number, holdMs: number): Promise<AskedPayment[]>
  /**
   * Stores an answer, and what follows from it for the purchase; an older one than is known counts
   * for nothing.
   */
  save(payment: AskedPayment, answer: RecordedAnswer): Promise<void>
  /** Asks again at an instant; null never. */
  postpone(payment: AskedPayment, askNextAt: Date | null): Promise<void>
  /**
   * The deposits that have changed after a revision, and those among them that nobody is credited
   * for.
   */
  changesAfter(revision: bigint): Promise<{
    revision: bigint
    transfers: readonly SightedTransfer[]
    unmatchedPaymentIds: readonly string[]
  }>
  /**
   * Makes the payments that a hint speaks of due now; false where it speaks of none of the sale's.
   */
  follow(hint: WebhookHint, now: Date): Promise<boolean>
}
