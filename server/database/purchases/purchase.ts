import { tokenAmount } from '#domain/money.ts'
import type { Purchase, StoredOutcome } from '#domain/settlement/stored-purchase.ts'
import { readSources, storeSources } from '#server/database/tables/stored-sources.ts'
import {
  readBonusTokens,
  readLockedBonuses,
  storeBonusTokens,
  storeLockedBonuses,
} from './stored-bonuses.ts'
import type { Row } from '#server/database/tables/tables.ts'

export type PurchaseRow = Row<'purchases'>

/** A purchase as its table has it: all columns, which nothing else knows. */
export function purchaseRow(purchase: Purchase): PurchaseRow {
  const { terms, outcome, completedAt, derivationIndex } = purchase
  return {
    id: purchase.id,
    user_id: purchase.userId,
    idempotency_key: purchase.idempotencyKey,
    request_fingerprint: purchase.fingerprint,
    stage_id: terms.stageId,
    payment_token_id: terms.paymentTokenId,
    rail: purchase.rail,
    chain: purchase.chain,
    address: purchase.address,
    payment_id: purchase.paymentId,
    derivation_index: derivationIndex === null ? null : BigInt(derivationIndex),
    usd: terms.usd,
    token_price: terms.tokenPrice,
    token_decimals: terms.tokenDecimals,
    crypto_price: terms.cryptoPrice,
    price_sources: storeSources(purchase.priceSources),
    crypto_decimals: terms.cryptoDecimals,
    crypto_due: terms.cryptoDue,
    reserved: terms.reserved,
    locked_bonuses: storeLockedBonuses(terms.lockedBonuses),
    min_usd: terms.minUsd,
    rail_min_usd: terms.railMinUsd,
    max_usd: terms.maxUsd,
    required_confirmations: terms.requiredConfirmations,
    terms_date: terms.termsDate,
    withdrawable_until: terms.withdrawableUntil,
    connection_hash: purchase.connectionHash,
    created_at: terms.createdAt,
    expires_at: terms.expiresAt,
    grace_ends_at: terms.graceEndsAt,
    has_gateway_failed: purchase.hasGatewayFailed,
    reversal: purchase.reversal?.kind ?? null,
    reversed_at: purchase.reversal?.at ?? null,
    ...outcomeColumns(outcome, completedAt),
  }
}

export function outcomeColumns(outcome: StoredOutcome, completedAt: Date | null) {
  const { credited } = outcome
  return {
    status: outcome.status,
    status_reason: outcome.reason,
    held: outcome.reserved,
    reservation_left: outcome.reservationLeft,
    due: outcome.due,
    confirmations: outcome.confirmations,
    credited_usd: credited.usd,
    credited_crypto: credited.crypto,
    credited_base: credited.base,
    credited_bonuses: storeBonusTokens(credited.bonuses),
    allocations: outcome.allocations.map(({ stageId, tokens }) => ({
      stageId,
      tokens: String(tokens),
    })),
    completed_at: completedAt,
  }
}

export function readPurchase(row: PurchaseRow): Purchase {
  return {
    id: row.id,
    userId: row.user_id,
    idempotencyKey: row.idempotency_key,
    fingerprint: row.request_fingerprint,
    rail: row.rail,
    chain: row.chain,
    address: row.address,
    paymentId: row.payment_id,
    derivationIndex: row.derivation_index === null ? null : Number(row.derivation_index),
    priceSources: readSources(row.price_sources),
    connectionHash: row.connection_hash,
    terms: {
      stageId: row.stage_id,
      paymentTokenId: row.payment_token_id,
      usd: row.usd,
      tokenPrice: row.token_price,
      tokenDecimals: row.token_decimals,
      cryptoPrice: row.crypto_price,
      cryptoDecimals: row.crypto_decimals,
      cryptoDue: row.crypto_due,
      reserved: row.reserved,
      lockedBonuses: readLockedBonuses(row.locked_bonuses),
      minUsd: row.min_usd,
      railMinUsd: row.rail_min_usd,
      maxUsd: row.max_usd,
      requiredConfirmations: row.required_confirmations,
      termsDate: row.terms_date,
      withdrawableUntil: row.withdrawable_until,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      graceEndsAt: row.grace_ends_at,
    },
    hasGatewayFailed: row.has_gateway_failed,
    reversal:
      row.reversal === null || row.reversed_at === null
        ? null
        : { kind: row.reversal, at: row.reversed_at },
    outcome: {
      status: row.status,
      reason: row.status_reason,
      reserved: row.held,
      reservationLeft: row.reservation_left,
      due: row.due,
      confirmations: row.confirmations,
      credited: {
        usd: row.credited_usd,
        crypto: row.credited_crypto,
        base: row.credited_base,
        bonuses: readBonusTokens(row.credited_bonuses),
      },
      allocations: row.allocations.map(({ stageId, tokens }) => ({
        stageId,
        tokens: tokenAmount(BigInt(tokens)),
      })),
    },
    completedAt: row.completed_at,
  }
}
