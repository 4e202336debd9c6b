import { add, type Price, type TokenAmount, type Usd, usd } from '#domain/money.ts'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import { referralReward } from '#domain/settlement/referral.ts'
import type { Stage } from '#domain/sale/sale.ts'
import { checkSo } from './check-so.ts'
import type { SaleBooks } from './sale-books.ts'

type Reward = { referrerId: string; tokens: TokenAmount; spend: Usd; isGranted: boolean }

/** The rewards of a sale: at most one for each referred user, as long as it is earned. */
export class RewardBook {
  readonly #books: SaleBooks
  readonly #rewards = new Map<string, Reward>()
  #reversedCount = 0

  constructor(books: SaleBooks) {
    this.#books = books
  }

  get reversedCount(): number {
    return this.#reversedCount
  }

  /** The rewards that are granted now, by referred user. */
  granted(): ReadonlyMap<string, TokenAmount> {
    return new Map(
      [...this.#rewards]
        .filter(([, { isGranted }]) => isGranted)
        .map(([refereeId, { tokens }]) => [refereeId, tokens]),
    )
  }

  /** Gives, takes back or gives again the reward for one referred user. */
  settle(referral: {
    refereeId: string
    referrerId: string
    /** Of all purchases of the referred user. */
    outcomes: readonly PurchaseOutcome[]
    stage: Stage
    tokenPrice: Price
  }): void {
    const { refereeId, referrerId, outcomes, stage, tokenPrice } = referral
    const completedUsd = add(usd(0n), ...outcomes.map(({ credited }) => credited.usd))
    const known = this.#rewards.get(refereeId)
    if (known === undefined) {
      const terms = stage.bonuses.referrals
      const { tokenDecimals } = stage
      const earned = referralReward({ completedUsd, terms, tokenPrice, tokenDecimals })
      if (earned === null) return
      const { spend } = terms
      this.#rewards.set(refereeId, { referrerId, tokens: earned.tokens, spend, isGranted: true })
      this.#books.reward(referrerId, earned.tokens)
      return
    }
    const isEarned = completedUsd > 0n && completedUsd >= known.spend
    if (isEarned === known.isGranted) return
    if (!isEarned) this.#reversedCount += 1
    known.isGranted = isEarned
    this.#books.reward(known.referrerId, isEarned ? known.tokens : -known.tokens)
  }

  /** Checks every reward against what the referred user was credited. */
  check(spentBy: (userId: string) => bigint): void {
    for (const [refereeId, { spend, isGranted }] of this.#rewards) {
      const spent = spentBy(refereeId)
      checkSo(isGranted === (spent > 0n && spent >= spend), 'a reward stands while it is earned')
    }
  }
}
