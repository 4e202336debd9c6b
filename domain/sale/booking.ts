import type { Price } from '#domain/money.ts'
import type { FeedPrice } from './price.ts'
import type { ReservationBounds } from './reservation.ts'
import type { PurchaseTerms, RailName, StageProgress } from './sale.ts'

/** The parts of a purchase that never change, apart from its terms. */
export type PurchaseOrder = {
  id: string
  userId: string
  idempotencyKey: string | null
  /** Of the input: the same key with a different fingerprint is an error. */
  fingerprint: string
  /**
   * A hash of the network that the buyer's call came from; null if it is unknown, and once the
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

/** A purchase to be booked: everything is decided except whether the stage has room for it. */
export type PurchaseRequest = PurchaseOrder & {
  /** The applied sale file by which it was quoted; it is booked by no other. */
  saleFileId: bigint
  bounds: ReservationBounds
  /** Without the bonus for a first purchase, so `reserved` and `lockedBonuses` are smaller. */
  terms: PurchaseTerms
  /** The same terms if this turns out to be the user's first purchase. */
  firstTerms: PurchaseTerms
}

export type QuotedTerms = Pick<PurchaseRequest, 'terms' | 'firstTerms'>

/** A purchase that is booked at the price of the moment, whatever its quote was. */
export type RequotablePurchase = PurchaseRequest & {
  /**
   * Its terms at this progress of the stage; null if it cannot be bought then, or only in another
   * stage. If left out, it is booked as quoted or not at all.
   */
  quoteAt?: (progress: StageProgress) => QuotedTerms | null
}

export type BookingOutcome =
  | 'created'
  | 'no_account'
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
  /** The purchase that was made, now or when the key was first used. */
  purchaseId: string
  isFirst: boolean
  progress: StageProgress
  tokenPrice: Price
}

/** With the terms by which it was decided. */
export type BookedPurchase = Booking & { quoted: QuotedTerms }
