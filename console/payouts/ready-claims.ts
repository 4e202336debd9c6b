import type { OperatorClaim } from '#contract/operator/refund-claims.ts'
import type { AskedAct } from '#contract/operator/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { formatDecimal, parseDecimal, USD_DECIMALS } from '#domain/money.ts'
import type { RailName } from '#domain/sale/sale.ts'

/** Approved claims that one wallet can send together. */
export interface ReadyClaims {
  rail: string
  chain: string
  claims: OperatorClaim[]
  sums: { payment_token: OperatorClaim['payment_token']; pays: string }[]
  /** Null if the price of one of them is not known. */
  usd: string | null
  /** The request for a batch of them that waits for a second person. */
  asked: AskedAct | null
}

/** Enough for every existing coin. */
const DECIMALS = 30

const sumOf = (amounts: readonly string[], decimals: number) =>
  formatDecimal(
    amounts.reduce((sum, each) => sum + (parseDecimal(each, decimals) ?? 0n), 0n),
    decimals,
  )

/** A gateway's transaction moves one coin, and is named for a whole batch. */
export const gateways: ReadonlySet<string> = new Set<RailName>(['nowpayments', 'btcpay'])

/**
 * Approved claims by rail and chain, and at gateways also by coin, without those whose money is
 * gone or held. Those for which a batch was asked for are on their own.
 */
export function readyClaims(approved: readonly OperatorClaim[]): ReadyClaims[] {
  const groups = Map.groupBy(
    approved.filter((claim) => claim.is_covered && !claim.is_held),
    ({ rail, chain, payment_token: coin, asked_acts: asked }) =>
      `${rail} ${chain} ${gateways.has(rail) ? coin.id : ''} ${asked[0]?.approval_id ?? ''}`,
  )
  return [...groups.values()].flatMap((claims) => {
    const [first] = claims
    if (first === undefined) return []
    const byCoin = Map.groupBy(claims, (claim) => claim.payment_token.id)
    const worths = claims.flatMap((claim) => claim.amount_fiat ?? [])
    return {
      rail: first.rail,
      chain: first.chain,
      claims,
      asked: first.asked_acts[0] ?? null,
      sums: [...byCoin.values()].flatMap((ofCoin) => {
        const coin = ofCoin[0]?.payment_token
        const pays = ofCoin.map((claim) => claim.pays)
        return coin === undefined ? [] : { payment_token: coin, pays: sumOf(pays, DECIMALS) }
      }),
      usd: worths.length === claims.length ? sumOf(worths, USD_DECIMALS) : null,
    }
  })
}

/**
 * A batch's network as people call it: by its coins if they share one, since a rail may have its
 * own name for the chain.
 */
export function networkOf(
  chain: string,
  sums: readonly { payment_token: { chain: string } }[],
): string {
  const [only, another] = new Set(sums.map((sum) => sum.payment_token.chain))
  return networkName({ chain: only !== undefined && another === undefined ? only : chain })
}
