import { type BonusTokens, bonusTypes, type LockedBonuses } from '#domain/sale/bonus.ts'
import { percentage, tokenAmount, usd } from '#domain/money.ts'
import type { StoredBonusTokens, StoredLockedBonuses } from '#server/database/tables/sale-tables.ts'

/** JSON has no integers of this size, so that amounts inside it are decimal strings. */

export function storeLockedBonuses({ flat, spending }: LockedBonuses): StoredLockedBonuses {
  const stored: StoredLockedBonuses = {
    flat: {},
    spending: spending.map(({ from, rate }) => ({ from: String(from), rate: String(rate) })),
  }
  for (const type of bonusTypes) {
    if (type !== 'spending_bonus' && flat[type] !== undefined)
      stored.flat[type] = String(flat[type])
  }
  return stored
}

export function readLockedBonuses({ flat, spending }: StoredLockedBonuses): LockedBonuses {
  const locked: LockedBonuses = {
    flat: {},
    spending: spending.map(({ from, rate }) => ({
      from: usd(BigInt(from)),
      rate: percentage(BigInt(rate)),
    })),
  }
  for (const type of bonusTypes) {
    if (type === 'spending_bonus') continue
    const rate = flat[type]
    if (rate !== undefined) locked.flat[type] = percentage(BigInt(rate))
  }
  return locked
}

export function storeBonusTokens(tokens: BonusTokens): StoredBonusTokens {
  const stored: StoredBonusTokens = {}
  for (const type of bonusTypes) {
    if (tokens[type] !== undefined) stored[type] = String(tokens[type])
  }
  return stored
}

export function readBonusTokens(stored: StoredBonusTokens): BonusTokens {
  const tokens: BonusTokens = {}
  for (const type of bonusTypes) {
    const amount = stored[type]
    if (amount !== undefined) tokens[type] = tokenAmount(BigInt(amount))
  }
  return tokens
}
