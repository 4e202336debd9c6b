import type { CryptoAmount } from '#domain/money.ts'
import type { SightedTransfer, WebhookHint } from './rail.ts'

/** A payment at a gateway that is due for a question. */
export type AskedPayment = {
  id: bigint
  purchaseId: string
  paymentTokenId: string
  paymentId: string
  /** False for a further payment that the gateway created for a deposit to the same address. */
  isOwn: boolean
  /** The id of the original payment; null if the answer that named it was lost. */
  ownPaymentId: string | null
  createdAt: Date
  /** Up to when all that was paid to it is known; null at first. */
  knownThrough: Date | null
  /** Until when a payment of the purchase is in time; null if it was never booked. */
  graceEndsAt: Date | null
  /** Until then no other instance asks about it. */
  heldUntil: Date
}

/** A payment that was requested without any reply: the gateway may know of it. */
export type LostPayment = Pick<
  AskedPayment,
  'id' | 'purchaseId' | 'paymentTokenId' | 'createdAt' | 'heldUntil'
>

export type RecordedDeposit = {
  transactionHash: string
  index: number
  paymentTokenId: string | null
  /** What the gateway calls an asset that is not one of the sale's payment tokens. */
  asset: string | null
  amount: CryptoAmount
  /**
   * The same in the unit of a payment token, or of a coin that the sale does not take (null).
   * Null if this instance's sale does not have that payment token.
   */
  amountIn(paymentTokenId: string | null): CryptoAmount | null
  isConfirmed: boolean
  isGone: boolean
  sentAt: Date
}

/** What the gateway answered about a payment. */
export type RecordedAnswer = {
  /** Taken before the question was sent. */
  askedAt: Date
  /** Up to when it has all that was paid. */
  knownThrough: Date
  askNextAt: Date
  status: string
  hasFailed: boolean
  furtherIds: readonly string[]
  /** All of them: a recorded deposit that is missing here is gone. */
  deposits: readonly RecordedDeposit[]
}

/** The stored questions to a gateway and its answers. */
export type GatewayRecord = {
  /** Records that a payment is about to be created, so that a lost reply leaves a trace. */
  begin(purchaseId: string, paymentTokenId: string, at: Date): Promise<void>
  /** Stores the new payment. False if its address already belongs to another purchase. */
  made(purchaseId: string, made: { paymentId: string; address: string }): Promise<boolean>
  /** Notes that the gateway has refused to create a payment: there is nothing to look for. */
  refused(purchaseId: string): Promise<void>
  /** Claims payments to look for, since their reply was lost. */
  claimLost(now: Date, countMax: number, holdMs: number): Promise<LostPayment[]>
  /** Stores what was found of one, so that it is asked about from now on. */
  found(lost: LostPayment, made: { paymentId: string; address: string | null }): Promise<void>
  /**
   * Claims payments that are due, so that no other instance asks about them meanwhile. Those in
   * other payment tokens are left to the instances that know these: a deposit keeps the asset as
   * which it is recorded first.
   */
  claimDue(
    now: Date,
    countMax: number,
    holdMs: number,
    paymentTokenIds: readonly string[],
  ): Promise<AskedPayment[]>
  /**
   * Stores an answer and applies it to the purchase; an answer older than what is known is ignored.
   */
  save(payment: AskedPayment, answer: RecordedAnswer): Promise<void>
  /**
   * Schedules the next question, unless something else has made it due meanwhile. Null for never:
   * then the purchase is settled without it.
   * `isUnknown`: the gateway has answered that it does not know the payment.
   */
  postpone(
    payment: Pick<AskedPayment, 'id' | 'heldUntil'>,
    askNextAt: Date | null,
    answer?: { isUnknown: boolean },
  ): Promise<void>
  /**
   * The deposits that changed after a revision, and those payments that belong to no purchase:
   * their transfers name the address at which the gateway took them, if it is known.
   */
  changesAfter(revision: bigint): Promise<{
    revision: bigint
    transfers: readonly SightedTransfer[]
    unmatchedPaymentIds: readonly string[]
  }>
  /** Makes the payments of a hint due now; false if none of them belongs to the sale. */
  follow(hint: WebhookHint, now: Date): Promise<boolean>
}
