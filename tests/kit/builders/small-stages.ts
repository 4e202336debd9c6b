import { price, tokenAmount } from '#domain/money.ts'
import type { Sale, Stage } from '#domain/sale/sale.ts'
import { someBonuses, WITHOUT_BOUNDS } from './domain-builders.ts'

export const NO_BONUSES = someBonuses()
const WHOLE = 10n ** 18n

/**
 * Two stages of 1,000 and 2,000 tokens at $1 and $2, or as many as changes are given, without
 * bonuses, unless changed. All of them may be reserved without being paid.
 */
export function smallStages(...changes: Partial<Stage>[]): (sale: Sale) => Sale {
  return (sale) => ({
    ...sale,
    finalPrice: null,
    purchases: { ...sale.purchases, ...WITHOUT_BOUNDS },
    stages: sale.stages.slice(0, Math.max(2, changes.length)).map((stage, index) => {
      const tokenPrice = price(10n ** 12n * BigInt(index + 1))
      return {
        ...stage,
        type: 'fixed',
        tokenPrice,
        finalTokenPrice: tokenPrice,
        supply: tokenAmount(WHOLE * 1_000n * BigInt(index + 1)),
        bonuses: NO_BONUSES,
        ...changes[index],
      }
    }),
  })
}
