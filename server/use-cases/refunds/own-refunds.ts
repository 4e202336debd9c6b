import { cryptoAmount } from '#domain/money.ts'
import { type ClaimTerms, claimTerms } from '#domain/refunds/claim-terms.ts'
import type { WhyNotClaimable } from '#domain/refunds/claim-states.ts'
import { type PaymentToken, paymentTokenOf } from '#domain/sale/sale.ts'
import { assetOf } from '#domain/settlement/ledger.ts'
import { listClaimsOf, listOwedParts, type OwedPartRow } from '#server/database/refunds/claims.ts'
import { listWaitingAbout } from '#server/database/operators/approvals.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { viewClaims } from './claim-view.ts'
import { isItsRail } from './read-address.ts'

/**
 * `asset` as the ledger names it; `whyNot`: what else is to pay it, a claim or an operator's mark;
 * null if it can be claimed.
 */
export type OwedPart = OwedPartRow & {
  asset: string
  whyNot: Extract<WhyNotClaimable, 'in_claim' | 'being_sent'> | null
}

export type OwedRefund = Awaited<ReturnType<typeof viewOwed>>

const CLOSED_LISTED_MAX = 100

/** What is owed to the caller, by asset, and what the caller has claimed. */
export async function listOwnRefunds(services: Services, { userId }: Caller) {
  const { database } = services
  const parts = await listOwed(services, database, userId)
  const assets = [...Map.groupBy(parts, groupOf).values()]
  const claims = await listClaimsOf(database, userId, CLOSED_LISTED_MAX)
  return {
    owed: await Promise.all(assets.map((each) => viewOwed(services, each))),
    claims: await viewClaims(services, database, claims),
  }
}

/** What is owed to a user. To claim it, call it with the purchases locked: marks lock them too. */
export async function listOwed(
  { clock }: Services,
  database: Database,
  userId: string,
): Promise<OwedPart[]> {
  const rows = await listOwedParts(database, userId)
  const about = rows.map((row) => row.receipt_id)
  const marks = { acts: ['payRefund'], about, now: clock.now() }
  const sent = new Set((await listWaitingAbout(database, marks)).map((asked) => asked.about))
  return rows.map((row) => {
    const whyNot = sent.has(row.receipt_id) ? 'being_sent' : null
    const asset = assetOf({ ...row, paymentTokenId: row.payment_token_id })
    return { ...row, asset, whyNot: row.is_busy ? 'in_claim' : whyNot }
  })
}

const groupOf = ({ rail, chain, asset, whyNot }: OwedPart) =>
  JSON.stringify([rail, chain, asset, whyNot])

async function viewOwed(services: Services, parts: readonly OwedPart[]) {
  const [first] = parts
  const paymentToken = paymentTokenOf(services.sale, first?.payment_token_id ?? null) ?? null
  const terms = await termsOf(services, paymentToken, parts)
  return {
    paymentToken,
    asset: first?.asset ?? '',
    chain: first?.chain ?? '',
    terms,
    whyNot: whyNotOf(isPaidOut(services, paymentToken, first), terms, first?.whyNot ?? null),
    isAddressChecked: services.rails.get(first?.rail ?? 'sandbox')?.payouts !== undefined,
    parts,
  }
}

/** Whether the rail that takes the coin now can pay it out where it lies. */
function isPaidOut(
  { rails }: Services,
  paymentToken: PaymentToken | null,
  part: OwedPartRow | undefined,
): boolean {
  if (paymentToken === null) return false
  const rail = part && rails.get(part.rail)
  return rail === undefined || isItsRail(rail, paymentToken, part?.chain ?? '')
}

function whyNotOf(
  isKnown: boolean,
  { amount, minimum }: ClaimTerms,
  otherwise: OwedPart['whyNot'],
): WhyNotClaimable | null {
  if (!isKnown) return 'unknown_asset'
  if (otherwise !== null) return otherwise
  return amount < minimum ? 'too_small' : null
}

/** The terms of claiming all of these, which are in one asset, at present network fees. */
export async function termsOf(
  services: Services,
  paymentToken: PaymentToken | null,
  parts: readonly OwedPartRow[],
): Promise<ClaimTerms> {
  const owed = parts.map(({ receipt_id: receiptId, amount, why }) => ({ receiptId, amount, why }))
  const [first] = parts
  const payouts = first && services.rails.get(first.rail)?.payouts
  // Only the gateway knows its fee.
  if (paymentToken === null || payouts === undefined || !isPaidOut(services, paymentToken, first)) {
    return claimTerms(owed, { networkFee: null, dust: cryptoAmount(0n) })
  }
  const networkFee = await payouts.networkFee(paymentToken)
  return claimTerms(owed, { networkFee, dust: payouts.dust(paymentToken) })
}
