import { invariant } from '#domain/invariant.ts'
import { type CryptoAmount, subtract, type Usd, usd, usdForUnits } from '#domain/money.ts'
import { freshPrice } from '#domain/sale/fresh-price.ts'
import { type Market, type PaymentToken, paymentTokenOf } from '#domain/sale/sale.ts'
import {
  type ApprovalRow,
  listWaitingAbout,
  listWaitingBatches,
} from '#server/database/operators/approvals.ts'
import {
  type ClaimPartRow,
  type ClaimRow,
  listClaimParts,
} from '#server/database/refunds/claims.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { Payout } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import { type EndedMark, findEndedMarks } from '#server/use-cases/approvals/ended-marks.ts'

export type ClaimView<Row extends ClaimRow = ClaimRow> = {
  claim: Row
  paymentToken: PaymentToken
  /** What arrives at the address. */
  pays: CryptoAmount
  parts: readonly ClaimPartRow[]
  /** Requests to approve it, or to send it, that are not done yet, oldest first. */
  asked: readonly ApprovalRow[]
  /** By receipt, until it is in a batch, a request to mark it as paid that was not done. */
  ended: ReadonlyMap<string, EndedMark>
  /** What the claimed amount is worth now; null if no price is known. */
  usd: Usd | null
  /** Where its transfer can be seen; null before it is sent, and if no explorer is known. */
  explorerUrl: string | null
}

export async function viewClaims<Row extends ClaimRow>(
  services: Services,
  database: Database,
  claims: readonly Row[],
): Promise<ClaimView<Row>[]> {
  const parts = await listClaimParts(
    database,
    claims.map(({ id }) => id),
  )
  const market = await loadMarket(database)
  const now = services.clock.now()
  const idsIn = (wanted: ClaimRow['state']) =>
    claims.filter(({ state }) => state === wanted).map(({ id }) => id)
  const acts = ['approveRefundClaim']
  const asked = await listWaitingAbout(database, { acts, about: idsIn('claimed'), now })
  const open = claims.filter(({ state }) => state === 'claimed' || state === 'approved')
  const owed = open.flatMap(({ id, rail, chain }) =>
    (parts.get(id) ?? []).map((part) => ({ ...part, rail, chain })),
  )
  const ended = await findEndedMarks(services, database, owed)
  const batches = await listWaitingBatches(database, { claimIds: idsIn('approved'), now })
  return claims.map((claim) => ({
    claim,
    paymentToken: tokenOf(services, claim),
    pays: paysOf(claim),
    parts: parts.get(claim.id) ?? [],
    asked: [
      ...asked.filter(({ about }) => about === claim.id),
      ...batches.filter(({ claimIds }) => claimIds.includes(claim.id)),
    ],
    ended: open.includes(claim) ? ended : new Map(),
    usd: marketValueOf(services, market, claim),
    explorerUrl:
      claim.transaction_hash === null
        ? null
        : (services.rails.get(claim.rail)?.explorerUrl(claim.chain, claim.transaction_hash) ??
          null),
  }))
}

export function tokenOf({ sale }: Services, claim: Pick<ClaimRow, 'payment_token_id'>) {
  const paymentToken = paymentTokenOf(sale, claim.payment_token_id)
  invariant(paymentToken !== undefined, 'A payment token that was paid in stays in the sale.')
  return paymentToken
}

export function paysOf({ amount, fee }: Pick<ClaimRow, 'amount' | 'fee'>): CryptoAmount {
  return subtract(amount, fee)
}

export function payoutOf(services: Services, claim: ClaimRow): Payout {
  const { id, address } = claim
  return { id, address, paymentToken: tokenOf(services, claim), amount: paysOf(claim) }
}

type Amount = Pick<ClaimRow, 'payment_token_id' | 'amount'>

/** What the claimed amount is worth at the market price; null if no fresh price is known. */
export function marketValueOf(
  { sale, clock }: Services,
  { prices }: Pick<Market, 'prices'>,
  { payment_token_id: tokenId, amount }: Amount,
): Usd | null {
  const paymentToken = paymentTokenOf(sale, tokenId)
  if (paymentToken === undefined) return null
  const priced = freshPrice(prices, paymentToken, clock.now())
  return priced && usdForUnits(amount, priced.price, paymentToken.decimals, 'up')
}

/** The same for several together; null if a fresh price is missing for any of them. */
export function marketValueOfAll(
  services: Services,
  market: Pick<Market, 'prices'>,
  amounts: readonly Amount[],
): Usd | null {
  const values = amounts.map((each) => marketValueOf(services, market, each))
  return values.reduce<Usd | null>(
    (sum, value) => (sum === null || value === null ? null : usd(sum + value)),
    usd(0n),
  )
}
