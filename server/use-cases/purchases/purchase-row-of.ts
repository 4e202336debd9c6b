import type { Booking, PurchaseRequest } from '#domain/sale/booking.ts'
import { cryptoAmount, tokenAmount, usd } from '#domain/money.ts'
import type { PurchaseRow } from '#server/database/purchases/purchases.ts'
import { storeLockedBonuses } from '#server/database/purchases/stored-bonuses.ts'
import { storeSources } from '#server/database/tables/stored-sources.ts'

/** The row that booking has just written, so that it need not be read again. */
export function purchaseRowOf(request: PurchaseRequest, booking: Booking): PurchaseRow {
  const terms = booking.isFirst ? request.firstTerms : request.terms
  const { derivationIndex } = request
  return {
    id: request.id,
    user_id: request.userId,
    idempotency_key: request.idempotencyKey,
    request_fingerprint: request.fingerprint,
    stage_id: terms.stageId,
    payment_token_id: terms.paymentTokenId,
    rail: request.rail,
    chain: request.chain,
    address: request.address,
    payment_id: request.paymentId,
    derivation_index: derivationIndex === null ? null : BigInt(derivationIndex),
    usd: terms.usd,
    token_price: terms.tokenPrice,
    token_decimals: terms.tokenDecimals,
    crypto_price: terms.cryptoPrice,
    price_sources: storeSources(request.priceSources),
    crypto_decimals: terms.cryptoDecimals,
    crypto_due: terms.cryptoDue,
    reserved: terms.reserved,
    locked_bonuses: storeLockedBonuses(terms.lockedBonuses),
    min_usd: terms.minUsd,
    max_usd: terms.maxUsd,
    required_confirmations: terms.requiredConfirmations,
    connection_hash: request.connectionHash,
    created_at: terms.createdAt,
    expires_at: terms.expiresAt,
    has_gateway_failed: false,
    status: 'pending',
    status_reason: null,
    held: terms.reserved,
    reservation_left: terms.reserved,
    due: terms.cryptoDue,
    confirmations: 0,
    credited_usd: usd(0n),
    credited_crypto: cryptoAmount(0n),
    credited_base: tokenAmount(0n),
    credited_bonuses: {},
    allocations: [],
    completed_at: null,
  }
}
