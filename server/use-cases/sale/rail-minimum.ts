import { greatest, type Usd, usd } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import type { Services } from '#server/services.ts'

/**
 * A payment token whose minimum is no lower than what its rail can take at all, and that alone:
 * zero where the rail takes everything. Less than that would be lost on the way, so the last
 * remainder of a stage cannot be bought for less either.
 */
export async function withRailMinimum(
  { rails }: Pick<Services, 'rails'>,
  paymentToken: PaymentToken,
): Promise<{ paymentToken: PaymentToken; railMinimum: Usd }> {
  const rail = rails.get(paymentToken.rail)
  const railMinimum = (await rail?.minimum?.(paymentToken)) ?? usd(0n)
  const minUsd = greatest(paymentToken.minUsd, railMinimum)
  return { paymentToken: { ...paymentToken, minUsd }, railMinimum }
}
