import type { BonusTokens } from '#domain/sale/bonus.ts'
import { creditReceipts, type GiveTokens } from './credit.ts'
import {
  add,
  type CryptoAmount,
  greatest,
  least,
  type Price,
  subtract,
  type TokenAmount,
  tokenAmount,
  type Usd,
} from '#domain/money.ts'
import { withCredit, withoutCredit } from './outcome.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import { judge, sortMoney } from './verdict.ts'
import { isOnTime } from './worth.ts'

export const purchaseStatuses = ['pending', 'processing', 'completed', 'expired', 'failed'] as const
export type PurchaseStatus = (typeof purchaseStatuses)[number]

export const statusReasons = [
  'underpaid',
  'overpaid',
  'late',
  'wrong_asset',
  'reorged',
  'held',
] as const
export type StatusReason = (typeof statusReasons)[number]

/** One transfer to the purchase's address, as the chain last told of it. */
export type ReceiptFact = {
  id: string
  amount: CryptoAmount
  /**
   * What of it an operator has paid back; left out where nothing was. It still counts as having
   * arrived, so that paying a refund changes no verdict, but it buys nothing and is owed no more.
   */
  paidBack?: CryptoAmount
  /** False where another token or chain arrived at the address. */
  isRightAsset: boolean
  /** `gone`: dropped by a reorganisation or replaced. A receipt that comes back is seen again. */
  state: 'seen' | 'confirmed' | 'gone'
  confirmations: number
  /** True once the receipt was confirmed, whatever became of it. */
  wasConfirmed: boolean
  seenAt: Date
  /** The sale when the receipt was first seen; null without a stage on sale or a price. */
  market: { stageId: string; tokenPrice: Price; cryptoPrice: Price } | null
}

/**
 * Tokens beyond the reservation that a stage gave for what a receipt paid too much, late, or after
 * the reservation had been given back. At most one for each receipt.
 */
export type Grant = {
  receiptId: string
  stageId: string
  tokens: TokenAmount
  /** True where the stage had less than was asked for: it is not asked again. */
  isShort: boolean
}

/** What an operator said about a purchase, newest last. */
export type OperatorMark = { kind: 'failed' | 'held' | 'released'; at: Date }

/** All that the status of a purchase depends on. */
export type PurchaseFacts = {
  terms: PurchaseTerms
  receipts: readonly ReceiptFact[]
  /** What `grants` of the last outcome said; none at first. */
  grants: readonly Grant[]
  /**
   * What `reservationLeft` of the last outcome said; `terms.reserved` at first. What was once given
   * back to the stage may be somebody else's by now, so it has to be asked for as a grant.
   */
  reservationLeft: TokenAmount
  /** True once a later purchase has the bonus for a first one, because this one had lapsed. */
  isFirstPurchaseBonusLost: boolean
  marks: readonly OperatorMark[]
  /** True where the gateway's own API says that the payment failed. */
  hasGatewayFailed: boolean
  /** The instant up to which the chain has been read; null before the first reading. */
  chainReadThrough: Date | null
}

export const refundReasons = ['underpaid', 'overpaid', 'late', 'wrong_asset', 'failed'] as const

/** What is owed back to the buyer. */
export type RefundDue = {
  receiptId: string
  amount: CryptoAmount
  why: (typeof refundReasons)[number]
}

export type PurchaseOutcome = {
  status: PurchaseStatus
  reason: StatusReason | null
  /** Tokens that stay held in the purchase's own stage. */
  reserved: TokenAmount
  /** Tokens that belong to the buyer, by the stage they come from. */
  allocations: readonly { stageId: string; tokens: TokenAmount }[]
  /** What was credited: zero unless completed. `base` and `bonuses` add up to the allocations. */
  credited: { usd: Usd; crypto: CryptoAmount; base: TokenAmount; bonuses: BonusTokens }
  /** What is still to be sent; zero when covered, expired or failed. */
  due: CryptoAmount
  /** Of the receipts that count, the fewest. */
  confirmations: number
  refunds: readonly RefundDue[]
  /**
   * Confirmed receipts of whatever asset: money that has come, and its amounts are final. What was
   * paid back of it is part of it.
   */
  booked: readonly { receiptId: string; amount: CryptoAmount }[]
  /** To be stored in place of the grants there were: what is not used goes back to its stage. */
  grants: readonly Grant[]
  /** To be stored: what the purchase still has of its reservation, held or allocated. */
  reservationLeft: TokenAmount
  /** What to ask of stages before the outcome is final; see {@link settlePurchase}. */
  grantsWanted: readonly Grant[]
}

/**
 * The fate of a purchase, from all facts. Receipts are taken in the order in which they were first
 * seen, so the order in which facts were recorded makes no difference.
 *
 * While `grantsWanted` is not empty the outcome is not final: {@link settlePurchase} asks for them.
 */
export function derivePurchase(facts: PurchaseFacts): PurchaseOutcome {
  return derive(facts, null)
}

function derive(facts: PurchaseFacts, give: GiveTokens | null): PurchaseOutcome {
  const money = sortMoney(facts)
  const verdict = judge(facts, money)
  if (verdict !== 'credit') return withoutCredit(facts, money, verdict)
  return withCredit(facts, money, creditReceipts(facts, money.confirmed, give))
}

/**
 * Derives the outcome with the grants that the stages can give.
 * @param roomOf How many tokens a stage has neither sold nor reserved, read under its lock. Only
 *   the stages of {@link stagesOf} are asked.
 */
export function settlePurchase(
  facts: PurchaseFacts,
  roomOf: (stageId: string) => TokenAmount,
): PurchaseOutcome {
  const { terms, reservationLeft } = facts
  const given = new Map<string, TokenAmount>()
  return derive(facts, ({ stageId, tokens: wanted }, receipt, reservationUsed) => {
    const alreadyGiven = given.get(stageId) ?? NONE
    // What money that was on time leaves of the reservation goes back to the stage by this same
    // settlement, so the stage has it to give. All that was on time comes before what is late, so
    // what it leaves is final when the first late receipt asks.
    const isFreed = stageId === terms.stageId && !isOnTime(terms, receipt)
    const freed = isFreed ? subtract(reservationLeft, reservationUsed) : NONE
    const room = greatest(NONE, subtract(add(roomOf(stageId), freed), alreadyGiven))
    const tokens = least(wanted, room)
    given.set(stageId, add(alreadyGiven, tokens))
    return { tokens, isShort: tokens < wanted }
  })
}

const NONE = tokenAmount(0n)

/** The stages whose tokens a settlement may move, sorted: lock their counters in this order. */
export function stagesOf(facts: PurchaseFacts): string[] {
  const ids = [
    facts.terms.stageId,
    ...facts.receipts.flatMap(({ market }) => market?.stageId ?? []),
    ...facts.grants.map(({ stageId }) => stageId),
  ]
  return [...new Set(ids)].toSorted()
}
