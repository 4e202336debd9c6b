import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type OwedRefund, type RefundClaim, refundsContract } from '#contract/refunds.ts'
import type { PaymentToken } from '#contract/shapes.ts'
import { activeClaimStates } from '#domain/refunds/claim-states.ts'
import { askAgain } from '#web/lib/api/ask-again.ts'
import { useLiveQuery, useOwnQuery } from '#web/session/own-query.ts'
import { useUser } from '#web/session/session-context.tsx'

/** How often confirmations of a payout are fetched, since there are no events for them. */
const UNDER_WAY_REFETCH_MS = 15_000

/** What is owed back to the user and what they have claimed, updated live. */
export function useRefunds() {
  const query = useOwnQuery(['refunds'], refundsContract.listOwnRefunds, {})
  useLiveQuery(query.queryKey, ['transaction'])
  return useQuery({
    ...query,
    refetchInterval: ({ state }) =>
      state.data?.claims.some(isActive) === true ? UNDER_WAY_REFETCH_MS : false,
  })
}

/** Refetches what is owed and claimed, after a change to either. */
export function useAskForRefundsAgain(): () => void {
  const queries = useQueryClient()
  const userId = useUser()?.id
  return () => askAgain(queries, ['user', userId, 'refunds'])
}

export function isActive({ state }: Pick<RefundClaim, 'state'>): boolean {
  return (activeClaimStates as readonly RefundClaim['state'][]).includes(state)
}

/** A coin of a transaction's refunds: its symbol and its chain, as payment tokens name them. */
interface Coin {
  symbol: string | null
  chain: string | null
}

/** What is owed in a coin that the sale takes. */
export type OwedCoins = OwedRefund & { payment_token: PaymentToken }

/**
 * What is owed for a transaction in a coin, with what is owed for others, and what can be claimed
 * first; undefined where that is nothing, or the sale does not know the coin.
 */
export function owedIn(
  owed: readonly OwedRefund[],
  transactionId: string,
  coin: Coin,
): OwedCoins | undefined {
  const ofCoin = owed.filter(
    (each): each is OwedCoins =>
      isOf(each.payment_token, coin) &&
      each.transactions.some(({ transaction_id: id }) => id === transactionId),
  )
  return ofCoin.find((each) => each.is_claimable) ?? ofCoin[0]
}

/** The claims of a transaction in a coin, newest first. */
export function claimsOf(
  claims: readonly RefundClaim[],
  transactionId: string,
  coin: Coin,
): RefundClaim[] {
  return claims.filter(
    ({ payment_token: token, transaction_ids: ids }) =>
      ids.includes(transactionId) && isOf(token, coin),
  )
}

function isOf(token: OwedRefund['payment_token'], { symbol, chain }: Coin): boolean {
  return token !== null && token.short_name === symbol && token.chain === chain
}
