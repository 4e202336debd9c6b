import type { Booking, PurchaseRequest, QuotedTerms } from '#domain/sale/booking.ts'
import { invariant } from '#domain/invariant.ts'
import type { Usd } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import { reservationBounds } from '#domain/sale/reservation.ts'
import type { Market, PaymentToken, PurchaseTerms, StageProgress } from '#domain/sale/sale.ts'
import { purchaseIdAt } from '#domain/settlement/purchase-number.ts'
import { newPurchase } from '#domain/settlement/stored-purchase.ts'
import { findPurchaseByKey, isNextPurchaseFirst } from '#server/database/purchases/purchases.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { AddressRequest, PaymentAddress, Rail } from '#server/ports/rail.ts'
import type { Caller, Client } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { belowMinimum, quotePurchase } from './quote-purchase.ts'
import { withRailMinimum } from '#server/use-cases/sale/get-active-stage.ts'
import { connectionHashOf, requireAccepted, requireRoom } from './require-bookable.ts'
import { findTransactionView, type PurchaseView, viewPurchase } from './transaction-view.ts'
import { requireVerifiedEmail } from '#server/use-cases/access/user-account.ts'

export type PurchaseInput = {
  usd: Usd
  paymentTokenId: string
  /** The same key and input give the same purchase, however often the call is made. */
  idempotencyKey: string | null
}

/** Nothing can have been paid to the address of a purchase that was only just made. */
const NO_MONEY = { receipts: [], refunds: [] }

/** How often a purchase is quoted again if the price or the stage moves on meanwhile. */
const QUOTES_MAX = 5

/** How often it starts over if another sale file is applied meanwhile. */
const SALES_MAX = 3
const SALE_CHANGED = Symbol('sale changed')

/**
 * Makes a purchase: locks the price, the amount due and the bonuses, reserves the tokens and gives
 * an address to pay to. Everything is decided before the single statement that books it, which
 * checks under the stage's lock that the decision still holds.
 */
export async function createPurchase(
  services: Services,
  input: PurchaseInput,
  caller: Caller,
  client: Client,
): Promise<PurchaseView> {
  requireVerifiedEmail(services, caller)
  try {
    return await makePurchase(services, input, caller, client)
  } catch (error) {
    // A repeated call gets its purchase even after selling has stopped.
    const repeated = error instanceof Refusal ? await findRepeated(services, input, caller) : null
    if (repeated === null) throw error
    return repeated
  }
}

async function makePurchase(given: Services, input: PurchaseInput, caller: Caller, client: Client) {
  let services = given
  for (let sales = 1; sales <= SALES_MAX; sales += 1) {
    const made = await makeByOneSale(services, input, caller, client)
    if (made !== SALE_CHANGED) return made
    services = await services.followSale()
  }
  throw new Refusal('Busy', { retryAfterSeconds: 1 })
}

/**
 * Everything about a purchase comes from one sale file; the booking compares it with the applied
 * one.
 */
async function makeByOneSale(
  services: Services,
  input: PurchaseInput,
  caller: Caller,
  client: Client,
): Promise<PurchaseView | typeof SALE_CHANGED> {
  const accepted = requireAccepted(services.sale, input.paymentTokenId)
  const rail = services.rails.get(accepted.rail)
  if (rail === undefined) throw new Refusal('RailUnavailable')
  const { paymentToken, railMinimum } = await withRailMinimum(services, accepted)
  if (input.usd < railMinimum) throw belowMinimum(railMinimum)
  const connectionHash = connectionHashOf(services.settings.secretKey, client)
  const buyer = { userId: caller.userId, connectionHash }
  const wanted = { usd: input.usd, paymentToken, rail, railMinimum }
  const book = () => quoteAndBook(services, input, { wanted, buyer }, caller)
  return await (rail.addressesAreFree ? book() : services.queueForAddress(buyer, book))
}

type Wanted = Omit<Parameters<typeof quotePurchase>[1], 'market'>

async function quoteAndBook(
  services: Services,
  input: PurchaseInput,
  { wanted, buyer }: { wanted: Wanted; buyer: { userId: string; connectionHash: Uint8Array } },
  caller: Caller,
): Promise<PurchaseView | typeof SALE_CHANGED> {
  const { rail, paymentToken } = wanted
  const id = purchaseIdAt(services.random.id(), services.clock.now())
  let address: PaymentAddress | null = null

  for (let quotes = 1; quotes <= QUOTES_MAX; quotes += 1) {
    const { market, ...quoted } = await quoteNow(services, wanted, caller)
    if (address === null && !rail.addressesAreFree) {
      const repeated = await findRepeated(services, input, caller)
      if (repeated !== null) return repeated
      await precheck(services, quoted, buyer)
    }
    address ??= await createAddress(rail, {
      purchaseId: id,
      paymentToken,
      amountDue: quoted.firstTerms.cryptoDue,
      quotedUsd: input.usd,
    })
    const request = {
      ...quoted,
      ...identify(services, input, quoted, rail, paymentToken),
      ...buyer,
      ...address,
      id,
    }
    const quoteAt = (progress: StageProgress) =>
      quoteAgain(services, { ...wanted, market, terms: quoted.terms, progress }, caller)
    const booking = await services.bookPurchase({ ...request, quoteAt })
    const booked = { ...request, ...booking.quoted }
    if (booking.outcome === 'created') {
      return viewPurchase(services, newPurchase(booked, booking.isFirst), NO_MONEY)
    }
    if (booking.outcome === 'sale_changed') return SALE_CHANGED
    if (booking.outcome === 'repeated') return await viewStored(services, booking.purchaseId)
    await refuse(services, booked, booking)
  }
  throw new Refusal('Busy', { retryAfterSeconds: 1 })
}

/**
 * Refuses what the booking would refuse before an address is created: an unused address wastes an
 * index for ever, or leaves a payment at a gateway that nobody will make. The booking decides
 * again, under its locks.
 */
async function precheck(
  services: Services,
  quoted: QuotedTerms,
  buyer: { userId: string; connectionHash: Uint8Array },
): Promise<void> {
  const isFirst = await isNextPurchaseFirst(services.database, buyer.userId)
  await requireRoom(services, quoted, isFirst, buyer)
}

/**
 * Quotes from the cached market. A refusal is verified with fresh data, since the buyer may have
 * changed the state a moment ago on another instance.
 */
async function quoteNow(
  services: Services,
  wanted: Wanted,
  caller: Caller,
): Promise<ReturnType<typeof quotePurchase> & { market: Market }> {
  const market = await services.market.read()
  try {
    return { ...quotePurchase(services, { ...wanted, market }, caller), market }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  const fresh = await services.market.readNow()
  return { ...quotePurchase(services, { ...wanted, market: fresh }, caller), market: fresh }
}

/**
 * Quotes once more after the stage has moved on, at the same coin price, so that the amount due
 * stays. Null if that is refused or opens another stage: then everything is decided again.
 */
function quoteAgain(
  services: Services,
  {
    market,
    terms,
    progress,
    ...wanted
  }: Parameters<typeof quotePurchase>[1] & { terms: PurchaseTerms; progress: StageProgress },
  caller: Caller,
): QuotedTerms | null {
  const { stageId } = terms
  const soldOutAt = market.progress.get(stageId)?.soldOutAt ?? null
  const moved = new Map(market.progress).set(stageId, { ...progress, soldOutAt })
  try {
    const { terms: now, firstTerms } = quotePurchase(
      services,
      { ...wanted, market: { ...market, progress: moved } },
      caller,
    )
    return now.stageId === stageId ? { terms: now, firstTerms } : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** What identifies a request, and the bounds that it must keep to. */
function identify(
  { sale, saleFileId }: Services,
  input: PurchaseInput,
  { terms }: QuotedTerms,
  rail: Rail,
  paymentToken: PaymentToken,
) {
  const stage = sale.stages.find(({ id }) => id === terms.stageId)
  invariant(stage !== undefined, 'A purchase is quoted in a stage of the sale.')
  return {
    idempotencyKey: input.idempotencyKey,
    fingerprint: fingerprintOf(input),
    saleFileId,
    bounds: reservationBounds(sale, stage),
    rail: rail.name,
    chain: rail.chainOf(paymentToken),
  }
}

const fingerprintOf = ({ usd, paymentTokenId }: PurchaseInput) => `${usd}:${paymentTokenId}`

async function createAddress(rail: Rail, request: AddressRequest): Promise<PaymentAddress> {
  try {
    return await rail.createAddress(request)
  } catch (error) {
    if (error instanceof Unavailable) throw new Refusal('RailUnavailable')
    throw error
  }
}

/** Throws the reason why a purchase was not booked; returns only if it is worth quoting again. */
async function refuse(services: Services, request: PurchaseRequest, { outcome, isFirst }: Booking) {
  // The account was erased since its session was looked up.
  if (outcome === 'no_account') throw new Refusal('Unauthenticated')
  if (outcome === 'key_reused') throw new Refusal('IdempotencyKeyReused')
  if (outcome === 'paused') throw new Refusal('SalePaused')
  if (outcome !== 'market_moved') await requireRoom(services, request, isFirst, request)
}

async function findRepeated(
  services: Services,
  input: PurchaseInput,
  caller: Caller,
): Promise<PurchaseView | null> {
  if (input.idempotencyKey === null) return null
  const known = await findPurchaseByKey(services.database, caller.userId, input.idempotencyKey)
  if (known === null) return null
  if (known.fingerprint !== fingerprintOf(input)) throw new Refusal('IdempotencyKeyReused')
  return await viewStored(services, known.id)
}

async function viewStored(services: Services, purchaseId: string): Promise<PurchaseView> {
  const view = await findTransactionView(services, purchaseId)
  invariant(view?.type === 'purchase', 'A repeated purchase is stored.')
  return view
}
