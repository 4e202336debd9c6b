import type { PurchaseRequest, QuotedTerms } from '#domain/sale/booking.ts'
import { lockBonuses, withoutFirstPurchase } from '#domain/sale/bonus.ts'
import type { Market, PaymentToken, Stage, StageProgress } from '#domain/sale/sale.ts'
import type { Usd } from '#domain/money.ts'
import { freshPrice } from '#domain/sale/fresh-price.ts'
import { ordinaryMinimum, quote, spendingLimits } from '#domain/sale/quote.ts'
import { Refusal } from '#domain/refusal.ts'
import { withdrawalEnd } from '#domain/sale/withdrawal.ts'
import { isDust, remaining } from '#domain/sale/stage.ts'
import { TERMS_DATE } from '#domain/sale/terms.ts'
import type { Rail } from '#server/ports/rail.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { usdText } from '#server/use-cases/sale/amount-texts.ts'
import { requireActiveStage } from '#server/use-cases/sale/get-active-stage.ts'

/** The amount, what it is paid in, and the market at this moment. */
type Wanted = {
  usd: Usd
  paymentToken: PaymentToken
  rail: Rail
  railMinimum: Usd
  market: Market
}

/**
 * The terms of a purchase at this moment. Refuses what cannot be bought, with `SaleNotStarted`,
 * `SalePaused`, `SaleEnded`, `AboveMaximum`, `BelowMinimum`, `NoTokensLeft`, `PriceStale`.
 */
export function quotePurchase(
  services: Services,
  { usd, paymentToken, rail, railMinimum, market }: Wanted,
  caller: Caller,
): QuotedTerms & Pick<PurchaseRequest, 'priceSources'> {
  const now = services.clock.now()
  const { withdrawal } = services.sale
  const { stage, progress } = requireActiveStage(services, market)
  const minUsd = requireWithinLimits(usd, stage, progress, paymentToken)
  const priced = freshPrice(market.prices, paymentToken, now)
  if (priced === null) throw new Refusal('PriceStale')
  const { price: cryptoPrice, sources } = priced
  const buyer = { paymentTokenId: paymentToken.id, now, signedUpAt: caller.user.createdAt }
  const expiresAt = new Date(now.getTime() + services.sale.purchases.expireAfterMs)
  const graceEndsAt = new Date(expiresAt.getTime() + (rail.graceMs?.(paymentToken) ?? 0))
  const firstLocked = lockBonuses(stage.bonuses, { ...buyer, isFirstPurchase: true })
  const termsWith = (locked: typeof firstLocked) => {
    const quoted = quote({ stage, progress, paymentToken, cryptoPrice, usd, locked })
    return {
      stageId: stage.id,
      paymentTokenId: paymentToken.id,
      usd,
      tokenPrice: quoted.tokenPrice,
      tokenDecimals: stage.tokenDecimals,
      cryptoPrice,
      cryptoDecimals: paymentToken.decimals,
      cryptoDue: quoted.cryptoDue,
      reserved: quoted.total,
      lockedBonuses: locked,
      minUsd,
      railMinUsd: railMinimum,
      maxUsd: stage.maxUsd,
      requiredConfirmations: rail.requiredConfirmations(rail.chainOf(paymentToken), usd),
      termsDate: TERMS_DATE,
      withdrawableUntil: withdrawal && withdrawalEnd(now, withdrawal.days),
      createdAt: now,
      expiresAt,
      graceEndsAt,
    }
  }
  return {
    terms: termsWith(withoutFirstPurchase(firstLocked)),
    firstTerms: termsWith(firstLocked),
    priceSources: sources,
  }
}

/** Returns the minimum that applies: the ordinary one, or the last remainder. */
function requireWithinLimits(
  amount: Usd,
  stage: Stage,
  progress: StageProgress,
  paymentToken: PaymentToken,
): Usd {
  if (stage.maxUsd !== null && amount > stage.maxUsd) {
    throw new Refusal('AboveMaximum', {
      message: `Can't spend more than ${usdText(stage.maxUsd)}`,
    })
  }
  const ordinary = ordinaryMinimum(stage, progress, paymentToken)
  if (amount >= ordinary) return ordinary
  // Dust has no minimum, although the stage is not over while tokens are reserved.
  if (isDust(stage, progress, remaining(stage, progress))) throw new Refusal('NoTokensLeft')
  const { min } = spendingLimits(stage, progress, paymentToken)
  if (amount >= min) return min
  throw belowMinimum(min)
}

/** The refusal that names the least that can be spent. */
export function belowMinimum(min: Usd): Refusal {
  return new Refusal('BelowMinimum', { message: `Can't spend less than ${usdText(min)}` })
}
