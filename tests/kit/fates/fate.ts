import type { Reversal } from '#domain/settlement/facts.ts'
import type { Sale } from '#domain/sale/sale.ts'
import {
  aPaymentToken,
  aSale,
  aStage,
  dollars,
  minute,
  percent,
  priced,
  someBonuses,
  tokens,
  WITHOUT_BOUNDS,
} from '#tests/kit/builders/domain-builders.ts'

/**
 * One thing that happens to a purchase. Names refer to receipts and purchases in the story; the
 * first purchase is called `it`.
 */
export type FateStep =
  /** Ether, or another amount of USDT that was never asked for, sent to a purchase's address. */
  | { pays: string; as?: string; to?: string; asset?: 'usdt'; besides?: string }
  | { mines: number }
  /** The last blocks are replaced, and what was in them is gone. */
  | { reorganises: number }
  /** A receipt that was gone comes back, in a new block. */
  | { minesAgain: string }
  /** The chain reports everything again, newest first. */
  | 'reports again'
  /** Time passes until just after the expiry of `it`, and the chain is read to that point. */
  | 'expires'
  /** Time passes until just after the grace of `it`, which begins with its expiry. */
  | 'grace ends'
  /** The same as `expires`, while no node answers. */
  | 'expires unread'
  /** The dollar price of one ether. */
  | { ether: string }
  | 'pauses'
  | 'resumes'
  /** The same buyer makes another purchase. */
  | { buys: string; usd: string }
  /** Somebody else makes a purchase, and may or may not pay for it. */
  | { rivalBuys: string; paying: boolean }
  | { operator: 'failed' | 'held' | 'released' }
  /** Its buyer withdraws from it, or the sale is closed below its soft cap. */
  | { reverses: Reversal['kind'] }

/** Where a purchase ends, as a buyer and an operator see it. Whatever is left out is nothing. */
export type FateEnd = {
  status: string
  reason?: string
  due?: string
  /** Tokens that are still held for it. */
  held?: string
  /** What was credited. */
  usd?: string
  ether?: string
  base?: string
  /** Percent of the base by bonus type; {@link usualBonuses} by default. */
  bonuses?: Record<string, string>
  /** Base and bonuses by the stage they come from; all from the first by default. */
  stages?: Record<string, string>
  /** By receipt: amount and reason. */
  refunds?: Record<string, string>
}

export type Fate = {
  name: string
  sale?: FateSale
  steps: readonly FateStep[]
  end: FateEnd
  /** Of a second purchase of the story, by its name. */
  others?: Record<string, FateEnd>
}

/** What is unusual about the sale of a story. */
export type FateSale = {
  /** Tokens of the first stage; a million by default. */
  supply?: string
  /** The price of a token in a second stage, which follows when the first has ended. */
  next?: string
  /** The first stage ends before the purchase expires. */
  isEnding?: true
  /**
   * Its chain does not show when a payment was sent, so payments are in time for {@link GRACE_MS}
   * longer.
   */
  hasGrace?: true
}

export const EXPIRY_MS = 60_000
export const GRACE_MS = 30_000
/** When an ending stage ends, after it began: before anybody's purchase expires. */
export const STAGE_MS = 40_000
export const ETHER_PRICE = '2000'
/** What every story begins with: $1,000 for 10,000 tokens and 2,600 of bonuses, due 0.5 ether. */
export const FATE_USD = '1000'

/** What is held for the purchase of every story until it is decided. */
export const HELD = '12600'

/** In percent: all bonuses for a first purchase of less than $2,000. */
export const usualBonuses: Record<string, string> = {
  base_bonus: '10',
  limited_time_bonus: '2',
  limited_time_signup_bonus: '4',
  first_purchase_bonus: '7',
  tiered_fiat_bonus: '3',
}
/** The same from $2,000 on. */
export const largeBonuses = { ...usualBonuses, spending_bonus: '5' }
/** The same if another purchase was the first. */
const { first_purchase_bonus: _first, ...notFirst } = usualBonuses
export const laterBonuses: Record<string, string> = notFirst

/** A sale at $0.10 for a token, from $100 to $5,000, that began at an instant. */
export function fateSale(unusual: FateSale = {}, beganAt: Date = minute(0)): Sale {
  const after = (ms: number) => new Date(beganAt.getTime() + ms)
  const bonuses = someBonuses({
    base: percent('10'),
    spending: [{ from: dollars('2000'), rate: percent('5') }],
    paymentTokens: [{ paymentTokenId: 'eth', rate: percent('3') }],
    limitedTime: { startsAt: beganAt, endsAt: after(86_400_000), rate: percent('2') },
    signup: {
      firstPurchase: percent('7'),
      limitedTime: { minutesAfterSignup: 60, rate: percent('4') },
    },
  })
  const first = aStage({
    id: 'stage-1',
    supply: tokens(unusual.supply ?? '1_000_000'),
    startsAt: beganAt,
    endsAt: unusual.isEnding ? after(STAGE_MS) : null,
    minUsd: dollars('100'),
    maxUsd: dollars('5000'),
    bonuses,
  })
  const { next } = unusual
  const stages =
    next === undefined
      ? [first]
      : [
          first,
          {
            ...first,
            id: 'stage-2',
            name: 'Stage 2',
            tokenPrice: priced(next),
            finalTokenPrice: priced(next),
            supply: tokens('1_000_000'),
            startsAt: after(STAGE_MS),
            endsAt: null,
          },
        ]
  return aSale({
    stages,
    purchases: { expireAfterMs: EXPIRY_MS, openPerUserMax: 10, ...WITHOUT_BOUNDS },
    paymentTokens: [
      aPaymentToken({ fixedPrice: priced(ETHER_PRICE) }),
      aPaymentToken({
        id: 'usdt',
        name: 'Tether',
        symbol: 'USDT',
        decimals: 6,
        fixedPrice: priced('1'),
      }),
    ],
  })
}
