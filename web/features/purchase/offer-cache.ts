import type { QueryClient } from '@tanstack/react-query'
import { askAgain } from '#web/lib/api/ask-again.ts'

/** The least that can be spent, by payment token: what is left of a stage may be less. */
export const minimumsKey = ['tokens', 'minimum']

/** The previews of bonuses: making a purchase, or letting one expire, changes which ones apply. */
export const bonusKey = (userId: string | undefined) => ['user', userId, 'bonus']

/** Refetches what can be bought, after anybody has reserved tokens or given some back. */
export function askForOfferAgain(queries: QueryClient, userId: string | undefined): void {
  askAgain(queries, minimumsKey)
  askAgain(queries, bonusKey(userId))
}
