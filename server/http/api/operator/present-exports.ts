import { assetToWire, instantToWire, orNull, rowToWire } from '#contract/codec.ts'
import type { RowOf } from '#contract/endpoint.ts'
import type { exportsContract } from '#contract/operator/exports.ts'
import type { Allocation } from '#contract/operator/shapes.ts'
import {
  type CryptoAmount,
  formatDecimal,
  type Price,
  PRICE_DECIMALS,
  USD_DECIMALS,
} from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { assetOfRow } from './present-operations.ts'
import { presentRelease } from '#server/http/api/present-release.ts'
import type {
  exportLedger,
  exportPurchases,
  exportReceipts,
  exportRefunds,
  exportUnmatched,
  listAllocations,
} from '#server/use-cases/console/export-rows.ts'
import type { Emails, Owners } from './emails-for.ts'
import type { OwnerRelease } from '#server/use-cases/releases/export-releases.ts'

type Tokens = Pick<Sale, 'paymentTokens' | 'project'>
type Export<Row> = (...given: never[]) => Promise<AsyncGenerator<Row[]>>
type RowIn<Exporting> = Exporting extends Export<infer Row> ? Row : never
type Exports = typeof exportsContract

const priceText = (price: Price) => formatDecimal(price, PRICE_DECIMALS)

export async function* rowsOf<Stored, Row>(
  batches: AsyncGenerator<Stored[]>,
  present: (row: Stored) => Row,
): AsyncGenerator<Row[]> {
  for await (const batch of batches) yield batch.map((row) => present(row))
}

export function presentExportedPurchase(
  purchase: RowIn<typeof exportPurchases>,
  emails: Emails,
): RowOf<Exports['exportPurchases']> {
  const { id, userId, email, address, terms, outcome } = purchase
  const { credited } = outcome
  const crypto = (amount: bigint) => formatDecimal(amount, terms.cryptoDecimals)
  const tokens = (amount: bigint) => formatDecimal(amount, terms.tokenDecimals)
  const bonuses = Object.values(credited.bonuses).reduce((sum, each) => sum + (each ?? 0n), 0n)
  return {
    id,
    user_id: userId,
    email: emails(email),
    status: outcome.status,
    status_reason: outcome.reason,
    status_date: instantToWire(purchase.statusAt),
    stage_id: terms.stageId,
    payment_token_id: terms.paymentTokenId,
    chain: purchase.chain,
    address,
    usd: formatDecimal(terms.usd, USD_DECIMALS),
    amount: crypto(terms.cryptoDue),
    token_price: priceText(terms.tokenPrice),
    payment_token_price: priceText(terms.cryptoPrice),
    credited_usd: formatDecimal(credited.usd, USD_DECIMALS),
    credited_amount: crypto(credited.crypto),
    credited_base_tokens: tokens(credited.base),
    credited_bonus_tokens: tokens(bonuses),
    terms_date: terms.termsDate,
    created_date: instantToWire(terms.createdAt),
    expires_date: instantToWire(terms.expiresAt),
    completed_date: orNull(purchase.completedAt, instantToWire),
  }
}

export function presentExportedRefund(
  refund: RowIn<typeof exportRefunds>,
  sale: Tokens,
  emails: Emails,
): RowOf<Exports['exportRefunds']> {
  const asset = assetOfRow(refund)
  const inAsset = (part: CryptoAmount) => assetToWire(sale, asset, part)
  return {
    ...rowToWire(refund),
    asset,
    email: emails(refund.email),
    amount: inAsset(refund.amount),
    fee: orNull(refund.fee, inAsset),
    paid_amount: orNull(refund.paid_amount, inAsset),
    reason: refund.why,
    since_date: instantToWire(refund.since),
  }
}

export function presentExportedReceipt(
  receipt: RowIn<typeof exportReceipts>,
  sale: Tokens,
): RowOf<Exports['exportReceipts']> {
  const asset = assetOfRow(receipt)
  const amountOf = (amount: bigint) => assetToWire(sale, asset, amount)
  return {
    ...rowToWire(receipt),
    asset,
    amount: amountOf(receipt.amount),
    booked_amount: amountOf(receipt.booked),
    market_token_price: orNull(receipt.market_token_price, priceText),
    market_payment_token_price: orNull(receipt.market_crypto_price, priceText),
  }
}

export function presentExportedUnmatched(
  transfer: RowIn<typeof exportUnmatched>,
  sale: Tokens,
): RowOf<Exports['exportUnmatched']> {
  const asset = assetOfRow(transfer)
  return { ...rowToWire(transfer), asset, amount: assetToWire(sale, asset, transfer.amount) }
}

export function presentExportedTransfer(
  transfer: RowIn<typeof exportLedger>,
  sale: Tokens,
): RowOf<Exports['exportLedger']> {
  return {
    ...rowToWire(transfer),
    id: String(transfer.id),
    amount: assetToWire(sale, transfer.asset, transfer.amount),
  }
}

export function presentExportedRelease(
  release: OwnerRelease,
  { project }: Tokens,
  owners: Owners,
): RowOf<Exports['exportReleases']> {
  const { month, date, tokens, released } = presentRelease(release, project)
  return {
    user_id: release.userId,
    ...owners(release),
    month,
    date,
    tokens,
    released_tokens: released,
  }
}

export function presentAllocation(
  row: RowIn<typeof listAllocations>,
  { project: { decimals } }: Tokens,
  owners: Owners,
): Allocation {
  return {
    user_id: row.userId,
    ...owners(row),
    base_tokens: formatDecimal(row.base, decimals),
    bonus_tokens: formatDecimal(row.bonuses, decimals),
    total_tokens: formatDecimal(row.total, decimals),
  }
}
