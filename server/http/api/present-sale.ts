import type {
  Banner as WireBanner,
  PaymentToken as WirePaymentToken,
  Prices as WirePrices,
  Project as WireProject,
} from '#contract/shapes.ts'
import type { Price } from '#domain/money.ts'
import { type Banner, type PaymentToken, type Sale, saleStatuses } from '#domain/sale/sale.ts'
import type { Settings } from '#server/services.ts'
import { projectPicturePath } from './project-pictures.ts'
import { instantToWire, orNull, priceToWire } from '#contract/codec.ts'

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
    seller: null,
    contract: null,
    papers: [],
    questions: [],
    risk: null,
    supply: [],
    vesting: null,
    translations: {},
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
    while: [...saleStatuses],
  }
}
