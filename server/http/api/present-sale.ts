import type {
  Banner as WireBanner,
  BonusTokens as WireBonusTokens,
  PaymentToken as WirePaymentToken,
  Prices as WirePrices,
  Project as WireProject,
  Stage as WireStage,
  StageBonuses as WireStageBonuses,
} from '#contract/shapes.ts'
import { type BonusTokens, bonusTypes } from '#domain/sale/bonus.ts'
import { type Price, toWireNumber } from '#domain/money.ts'
import type { Banner, PaymentToken, Sale, StageBonuses } from '#domain/sale/sale.ts'
import type { Settings } from '#server/services.ts'
import type { StageView } from '#server/use-cases/sale/get-active-stage.ts'
import { projectPicturePath } from './project-pictures.ts'
import { instantToWire, orNull, percentageToWire, priceToWire, usdToWire } from './to-wire.ts'

export function presentProject(sale: Sale, settings: Settings): WireProject {
  const { project } = sale
  return {
    name: project.name,
    symbol: project.symbol,
    decimals: project.decimals,
    main_site_url: project.mainSiteUrl,
    frontend_url: settings.publicUrl,
    tagline: project.tagline,
    launch_notice: project.launchNotice,
    copyright_year: project.copyrightYear,
    links: {
      header: project.links.header,
      footer: project.links.footer,
      buy_now: project.links.buyNow,
    },
    contact_email: project.contactEmail,
    processors: project.processors.map((processor) => ({ ...processor })),
    logo_url: projectPicturePath(project.pictures, 'logo'),
    info: orNull(project.info, ({ facts, sections }) => ({
      facts: facts.map((fact) => ({ ...fact })),
      sections: sections.map(({ title, paragraphs }) => ({ title, paragraphs: [...paragraphs] })),
    })),
    payment_tokens: sale.paymentTokens
      .filter(({ isEnabled }) => isEnabled)
      .map(presentPaymentToken),
    is_sandbox: settings.isSandbox,
  }
}

export function presentPaymentToken(paymentToken: PaymentToken): WirePaymentToken {
  return {
    id: paymentToken.id,
    name: paymentToken.name,
    short_name: paymentToken.symbol,
    chain: paymentToken.chain,
    decimals: paymentToken.decimals,
    payment_provider_ids: paymentToken.providerIds,
  }
}

export function presentStage({ stage, tokenPrice, sold, minUsd }: StageView): WireStage {
  return {
    id: stage.id,
    name: stage.name,
    type: stage.type,
    token_price: priceToWire(tokenPrice),
    total_tokens: toWireNumber(stage.supply, stage.tokenDecimals),
    sold_tokens: toWireNumber(sold, stage.tokenDecimals),
    start_date: instantToWire(stage.startsAt),
    end_date: orNull(stage.endsAt, instantToWire),
    min_fiat_amount: orNull(minUsd, usdToWire),
    max_fiat_amount: orNull(stage.maxUsd, usdToWire),
    bonuses: presentStageBonuses(stage.bonuses),
  }
}

function presentStageBonuses(bonuses: StageBonuses): WireStageBonuses {
  const { limitedTime, signup, referrals } = bonuses
  return {
    base_percentage: percentageToWire(bonuses.base),
    tiered_fiat: bonuses.spending.map(({ from, rate }) => ({
      amount: usdToWire(from),
      percentage: percentageToWire(rate),
    })),
    payment_tokens: bonuses.paymentTokens.map(({ paymentTokenId, rate }) => ({
      token_id: paymentTokenId,
      percentage: percentageToWire(rate),
    })),
    limited_time: orNull(limitedTime, ({ startsAt, endsAt, rate }) => ({
      start_date: instantToWire(startsAt),
      end_date: instantToWire(endsAt),
      percentage: percentageToWire(rate),
    })),
    signup: {
      first_purchase_percentage: percentageToWire(signup.firstPurchase),
      limited_time: orNull(signup.limitedTime, ({ minutesAfterSignup, rate }) => ({
        minutes_after_signup: minutesAfterSignup,
        percentage: percentageToWire(rate),
      })),
    },
    referrals: { earn: usdToWire(referrals.earn), spend: usdToWire(referrals.spend) },
  }
}

export function presentBonusTokens(bonuses: BonusTokens, decimals: number): WireBonusTokens {
  const entries = bonusTypes.flatMap((type) => {
    const tokens = bonuses[type]
    return tokens === undefined ? [] : [[type, toWireNumber(tokens, decimals)] as const]
  })
  return Object.fromEntries(entries)
}

export function presentPrices(prices: ReadonlyMap<string, Price>): WirePrices {
  return Object.fromEntries([...prices].map(([symbol, usd]) => [symbol, { USD: priceToWire(usd) }]))
}

export function presentBanner(banner: Banner): WireBanner {
  return {
    id: banner.id,
    message: banner.message,
    tone: banner.tone,
    link_url: banner.linkUrl,
    link_label: banner.linkLabel,
    dismissible: banner.isDismissible,
    starts_date: orNull(banner.startsAt, instantToWire),
    ends_date: orNull(banner.endsAt, instantToWire),
  }
}
