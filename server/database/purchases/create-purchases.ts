import type { Booking, PurchaseRequest } from '#domain/sale/booking.ts'
import { price, tokenAmount } from '#domain/money.ts'
import { shareMinTokens } from '#domain/sale/reservation.ts'
import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import { storeLockedBonuses } from './stored-bonuses.ts'
import { storeSources } from '#server/database/tables/stored-sources.ts'

type OutcomeRow = {
  outcome: Booking['outcome']
  purchase_id: string
  is_first: boolean
  stage_reserved: bigint
  stage_sold: bigint
  stage_token_price: bigint
}

const STATEMENT = 'select * from create_purchases($1, $2::jsonb)'

/**
 * Makes purchases of one stage, at most one for each user, in one statement. The results stand in
 * the order of the requests. What it decides is told beside it in the schema.
 */
export async function createPurchases(
  open: Pick<OpenDatabase, 'runNamed'>,
  stageId: string,
  requests: readonly PurchaseRequest[],
): Promise<Booking[]> {
  const rows = await open.runNamed<OutcomeRow>('create_purchases', STATEMENT, [
    stageId,
    JSON.stringify(requests.map(toElement)),
  ])
  return rows.map(toBooking)
}

function toElement(request: PurchaseRequest): Record<string, unknown> {
  const { bounds, terms, firstTerms } = request
  const rate = firstTerms.lockedBonuses.flat.first_purchase_bonus
  return {
    id: request.id,
    user_id: request.userId,
    idempotency_key: request.idempotencyKey,
    request_fingerprint: request.fingerprint,
    open_max: bounds.openPerUserMax,
    user_worth_max: textOf(bounds.worthPerUserMax),
    connection_worth_max: textOf(bounds.worthPerConnectionMax),
    connection_hash: request.connectionHash && Buffer.from(request.connectionHash).toString('hex'),
    unpaid_share: String(bounds.unpaidShare),
    share_min: String(shareMinTokens(bounds, terms.tokenPrice, terms.tokenDecimals)),
    payment_token_id: terms.paymentTokenId,
    rail: request.rail,
    chain: request.chain,
    address: request.address,
    payment_id: request.paymentId,
    derivation_index: request.derivationIndex,
    usd: String(terms.usd),
    token_price: String(terms.tokenPrice),
    token_decimals: terms.tokenDecimals,
    crypto_price: String(terms.cryptoPrice),
    price_sources: storeSources(request.priceSources),
    crypto_decimals: terms.cryptoDecimals,
    crypto_due: String(terms.cryptoDue),
    reserved: String(terms.reserved),
    first_bonus_rate: rate === undefined ? null : String(rate),
    first_bonus_tokens: String(firstTerms.reserved - terms.reserved),
    locked_bonuses: storeLockedBonuses(terms.lockedBonuses),
    min_usd: String(terms.minUsd),
    max_usd: textOf(terms.maxUsd),
    required_confirmations: terms.requiredConfirmations,
    created_at: terms.createdAt,
    expires_at: terms.expiresAt,
  }
}

const textOf = (amount: bigint | null) => (amount === null ? null : String(amount))

function toBooking(row: OutcomeRow): Booking {
  return {
    outcome: row.outcome,
    purchaseId: row.purchase_id,
    isFirst: row.is_first,
    progress: { reserved: tokenAmount(row.stage_reserved), sold: tokenAmount(row.stage_sold) },
    tokenPrice: price(row.stage_token_price),
  }
}
