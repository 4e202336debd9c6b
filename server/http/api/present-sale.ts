import type {
  Banner as WireBanner,
  PaymentToken as WirePaymentToken,
  Prices as WirePrices,
  Project as WireProject,
} from '#contract/shapes.ts'
import type { Price } from '#domain/money.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import type { ListedStage as WireListedStage } from '#contract/sale-page-shapes.ts'
import type { saleContract } from '#contract/sale.ts'
import type { Offer } from '#domain/sale/offer.ts'
import type { Banner, PaymentToken, Promotion, Sale } from '#domain/sale/sale.ts'
import type { Settings } from '#server/services.ts'
import type { ListedStage } from '#server/use-cases/sale/list-stages.ts'
import { pictureSize, projectPicturePath, promotionPicturePath } from './project-pictures.ts'
import {
  instantToWire,
  orNull,
  percentageToWire,
  priceToWire,
  scheduleToWire,
  tokensToWire,
  usdToWire,
} from '#contract/codec.ts'

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
    ...presentOffer(project),
    vesting: orNull(sale.vesting, ({ startsAt, ...schedule }) => ({
      start_date: orNull(startsAt, instantToWire),
      ...scheduleToWire(schedule),
    })),
    delivery: orNull(sale.delivery, ({ chain, chainId }) => ({ chain, chain_id: chainId })),
    translations: { ...sale.translations },
    soft_cap: orNull(sale.softCap, usdToWire),
    payment_tokens: sale.paymentTokens
      .filter(({ isEnabled }) => isEnabled)
      .map(presentPaymentToken),
    is_sandbox: settings.isSandbox,
  }
}

type WireOffer = Pick<
  WireProject,
  'seller' | 'contract' | 'papers' | 'questions' | 'risk' | 'supply'
>

function presentOffer(offer: Offer): WireOffer {
  return {
    seller: orNull(offer.seller, (seller) => ({ ...seller })),
    contract: orNull(offer.contract, ({ chain, address, explorerUrl }) => ({
      chain,
      address,
      explorer_url: explorerUrl,
    })),
    papers: offer.papers.map((paper) => ({ ...paper })),
    questions: offer.questions.map((question) => ({ ...question })),
    risk: orNull(offer.risk, ({ statement, summary }) => ({ statement, summary: [...summary] })),
    supply: offer.supply.map(({ label, share }) => ({
      label,
      percentage: percentageToWire(share),
    })),
  }
}

export function presentPaymentToken(paymentToken: PaymentToken): WirePaymentToken {
  return {
    id: paymentToken.id,
    name: paymentToken.name,
    short_name: paymentToken.symbol,
    chain: paymentToken.chain,
    decimals: paymentToken.decimals,
    min_amount_fiat: usdToWire(paymentToken.minUsd),
    payment_provider_ids: paymentToken.providerIds,
    price_from: paymentToken.priceFrom,
    test_network: paymentToken.testNetwork,
  }
}

export function presentPrices(prices: ReadonlyMap<string, Price>): WirePrices {
  return Object.fromEntries([...prices].map(([symbol, usd]) => [symbol, { USD: priceToWire(usd) }]))
}

/** The promotions in order, with the addresses of their pictures. */
export function presentPromotions(
  promotions: readonly Promotion[],
): ResultOf<typeof saleContract.listPromotions> {
  return promotions.map((promotion) => ({
    key: promotion.key,
    image_url: promotionPicturePath(promotion.image),
    image_blue_url: orNull(promotion.imageBlue, promotionPicturePath),
    ...pictureSize(promotion.image),
    ...presentPromotionWords(promotion),
  }))
}

/** Key to promotion, in their order, with the pictures themselves. */
export function presentPromotionImages(
  promotions: readonly Promotion[],
): ResultOf<typeof saleContract.getPromotionImages> {
  return Object.fromEntries(
    promotions.map((promotion) => [
      promotion.key,
      {
        image: promotion.image,
        image_blue: promotion.imageBlue,
        ...presentPromotionWords(promotion),
      },
    ]),
  )
}

function presentPromotionWords({ title, detail, linkUrl, buyParams }: Promotion) {
  return { title, detail, link_url: linkUrl, buy_params: buyParams }
}

export function presentStage(listed: ListedStage): WireListedStage {
  const { stage, status, tokenPrice, sold, isSoldOut } = listed
  return {
    id: stage.id,
    name: stage.name,
    type: stage.type,
    token_price: priceToWire(stage.tokenPrice),
    final_token_price: priceToWire(stage.finalTokenPrice),
    current_token_price: priceToWire(tokenPrice),
    total_tokens: tokensToWire(stage.supply, stage.tokenDecimals),
    sold_tokens: tokensToWire(sold, stage.tokenDecimals),
    is_sold_out: isSoldOut,
    start_date: instantToWire(stage.startsAt),
    end_date: orNull(stage.endsAt, instantToWire),
    status,
    vesting: orNull(stage.vesting, scheduleToWire),
  }
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
    while: [...banner.shownWhile],
  }
}
