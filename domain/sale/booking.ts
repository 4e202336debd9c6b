import type { Price } from '#domain/money.ts'
import type { FeedPrice } from './price.ts'
import type { ReservationBounds } from './reservation.ts'
import type { PurchaseTerms, RailName, StageProgress } from './sale.ts'

/** The parts of a purchase that never change, apart from its terms. */
export type PurchaseOrder = {
  id: string
  userId: string
  idempotencyKey: string | null
  /** Of the input: the same key with another fingerprint is a mistake. */
  fingerprint: string
  /**
   * A hash of the network that the buyer's call came from; null if that is not known, and once the
   * purchase no longer waits for its payment.
   */
  connectionHash: Uint8Array | null
  rail: RailName
  chain: string
  address: string
  paymentId: string
  derivationIndex: number | null
  /** Which feeds the coin's price was agreed on from; empty in a sandbox. */
  priceSources: readonly FeedPrice[]
}

/** A purchase to be booked: all is decided except whether the stage has room for it. */
export type PurchaseRequest = PurchaseOrder & {
  /** Of the applied sale file that it was quoted by; it is booked by no other. */
  saleFileId: bigint
  bounds: ReservationBounds
  /** Without the bonus for a first purchase: `reserved` and `lockedBonuses` are less by it. */
  terms: PurchaseTerms
  /** The same terms as they are where this turns out to be the user's first purchase. */
  firstTerms: PurchaseTerms
}

/** The terms of a purchase, with the bonus for a first purchase and without. */
export type QuotedTerms = Pick<PurchaseRequest, 'terms' | 'firstTerms'>

/** A purchase that is booked at the price of the moment, whatever it was quoted. */
export type RequotablePurchase = PurchaseRequest & {
  /**
   * Its terms where the stage has come this far; null if it cannot be had there, or in another
   * stage by then. Left out: it is booked as it was quoted or not at all.
   */
  quoteAt?: (progress: StageProgress) => QuotedTerms | null
}

export type BookingOutcome =
  | 'created'
  | 'repeated'
  | 'key_reused'
  | 'paused'
  | 'sale_changed'
  | 'market_moved'
  | 'too_many_open'
  | 'no_room'
  | 'lapsed'
  | 'user_worth'
  | 'connection_worth'
  | 'unpaid_share'

export type Booking = {
  outcome: BookingOutcome
  /** Of the purchase that was made, now or when the key was first used. */
  purchaseId: string
  isFirst: boolean
  /** How far the stage had come when it was decided. */
  progress: StageProgress
  tokenPrice: Price
}

/** With the terms that it was decided by. */
export type BookedPurchase = Booking & { quoted: QuotedTerms }
