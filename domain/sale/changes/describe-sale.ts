import {
  formatDecimal,
  type Percentage,
  PERCENTAGE_DECIMALS,
  type Price,
  PRICE_DECIMALS,
  type Usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import type { Offer, ReleaseSchedule, Translations, Vesting } from '#domain/sale/offer.ts'
import {
  type Banner,
  type Delivery,
  type PaymentToken,
  type Project,
  type Promotion,
  type Sale,
  saleStatuses,
  type Stage,
} from '#domain/sale/sale.ts'

/**
 * A sale as text: from the name of each part (`stage-2`, `payment token eth`) to its fields. The
 * database stores the last one, and two are compared to show an operator what changes.
 */
export type SaleDescription = Readonly<Record<string, FieldTexts>>
export type FieldTexts = Readonly<Record<string, string>>

/** The text of a field that the sale file leaves out. */
export const NOTHING = 'none'

/** A sale as text; amounts in whole units, instants in ISO 8601, pictures by a fingerprint. */
export function describeSale(sale: Sale): SaleDescription {
  const { accounts, purchases, approvals } = sale
  return {
    sale: {
      final_price: inPrice(sale.finalPrice),
      require_verified_email: String(accounts.requireVerifiedEmail),
      expire_after_minutes: String(purchases.expireAfterMs / 60_000),
      open_per_user: String(purchases.openPerUserMax),
      open_worth_per_user: inUsd(purchases.openWorthPerUser),
      open_worth_per_connection: inUsd(purchases.openWorthPerConnection),
      unpaid_share: inPercent(purchases.unpaidShare),
      'approvals.refund_over_usd': inUsd(approvals.refundOver),
      'approvals.release_over_usd': inUsd(approvals.releaseOver),
      'approvals.resume': approvals.resume ? 'always' : 'never',
      'approvals.apply_sale': approvals.applySale ? 'always' : 'never',
      'withdrawal.days': sale.withdrawal === null ? NOTHING : String(sale.withdrawal.days),
      soft_cap_usd: inUsd(sale.softCap),
      payment_tokens: inOrder(sale.paymentTokens.map(({ id }) => id)),
      promotions: inOrder(sale.promotions.map(({ key }) => key)),
      banners: inOrder(sale.banners.map(({ id }) => id)),
      ...describeVesting(sale.vesting),
      ...describeDelivery(sale.delivery),
      translations: inTranslations(sale.translations),
    },
    project: describeProject(sale.project),
    ...named(sale.paymentTokens, ({ id }) => nameOfPaymentToken(id), describePaymentToken),
    ...named(sale.stages, ({ id }) => id, describeStage),
    ...named(sale.promotions, ({ key }) => `promotion ${key}`, describePromotion),
    ...named(sale.banners, ({ id }) => `banner ${id}`, describeBanner),
  }
}

/** The name, within a description, of the part about a payment token. */
export function nameOfPaymentToken(id: string): string {
  return `payment token ${id}`
}

function named<T>(
  parts: readonly T[],
  nameOf: (part: T) => string,
  describe: (part: T) => FieldTexts,
): SaleDescription {
  return Object.fromEntries(parts.map((part) => [nameOf(part), describe(part)]))
}

function describeProject({ links, pictures, info, ...project }: Project): FieldTexts {
  const footer = Object.entries(links.footer).map(
    ([group, groupLinks]) => `${group}: ${inLinks(groupLinks)}`,
  )
  return {
    name: project.name,
    symbol: project.symbol,
    decimals: String(project.decimals),
    main_site_url: project.mainSiteUrl,
    tagline: project.tagline,
    launch_notice: project.launchNotice,
    copyright_year: String(project.copyrightYear),
    'links.header': inLinks(links.header),
    'links.footer': inOrder(footer),
    'links.buy_now': links.buyNow ?? NOTHING,
    contact_email: project.contactEmail ?? NOTHING,
    processors: inOrder(project.processors.map(({ name, purpose }) => `${name}: ${purpose}`)),
    'pictures.logo': inPicture(pictures.logo),
    'pictures.icon': inPicture(pictures.icon),
    'pictures.social_preview': inPicture(pictures.socialPreview),
    'info.facts': inOrder(
      info?.facts.map(({ label, value, detail }) => `${label} ${value} (${detail ?? NOTHING})`) ??
        [],
    ),
    'info.sections': inOrder(
      info?.sections.map(
        ({ title, paragraphs }) => `${title} ${fingerprint(paragraphs.join('\n'))}`,
      ) ?? [],
    ),
    ...describeOffer(project),
  }
}

function describeOffer({ seller, contract, papers, questions, risk, supply }: Offer): FieldTexts {
  return {
    seller: seller
      ? `${seller.name}, ${seller.place} (${seller.registration ?? NOTHING})`
      : NOTHING,
    contract: contract
      ? `${contract.address} on ${contract.chain} (${contract.explorerUrl ?? NOTHING})`
      : NOTHING,
    papers: inOrder(papers.map(({ title, url, date }) => `${title} ${url} (${date ?? NOTHING})`)),
    questions: inOrder(
      questions.map(({ question, answer }) => `${question} ${fingerprint(answer)}`),
    ),
    'risk.statement': risk?.statement ?? NOTHING,
    'risk.summary': risk ? fingerprint(risk.summary.join('\n')) : NOTHING,
    supply: inOrder(supply.map(({ label, share }) => `${label} ${inPercent(share)}`)),
  }
}

function describePaymentToken(token: PaymentToken): FieldTexts {
  const providers = Object.entries(token.providerIds).map(([rail, id]) => `${rail}: ${id}`)
  return {
    name: token.name,
    short_name: token.symbol,
    chain: token.chain,
    decimals: String(token.decimals),
    min_amount_fiat: inUsd(token.minUsd),
    fixed_price: inPrice(token.fixedPrice),
    price_from: token.priceFrom,
    network: token.testNetwork ?? NOTHING,
    enabled: String(token.isEnabled),
    chain_id: String(token.chainId ?? NOTHING),
    contract: token.contract ?? NOTHING,
    payment_provider_ids: inOrder(providers),
  }
}

function describeStage(stage: Stage): FieldTexts {
  const { bonuses } = stage
  const { limitedTime, signup, referrals } = bonuses
  const tiers = bonuses.spending.map(({ from, rate }) => `${inPercent(rate)} from ${inUsd(from)}`)
  const tokens = bonuses.paymentTokens.map(
    ({ paymentTokenId, rate }) => `${inPercent(rate)} for ${paymentTokenId}`,
  )
  return {
    name: stage.name,
    type: stage.type,
    token_price: inPrice(stage.tokenPrice),
    final_token_price: inPrice(stage.finalTokenPrice),
    total_tokens: formatDecimal(stage.supply, stage.tokenDecimals),
    start_date: instantText(stage.startsAt),
    end_date: instantText(stage.endsAt),
    min_fiat_amount: inUsd(stage.minUsd),
    max_fiat_amount: inUsd(stage.maxUsd),
    'bonuses.base_percentage': inPercent(bonuses.base),
    'bonuses.tiered_fiat': inOrder(tiers),
    'bonuses.payment_tokens': inOrder(tokens),
    'bonuses.limited_time': limitedTime
      ? `${inPercent(limitedTime.rate)} from ${instantText(limitedTime.startsAt)} ` +
        `to ${instantText(limitedTime.endsAt)}`
      : NOTHING,
    'bonuses.signup.first_purchase_percentage': inPercent(signup.firstPurchase),
    'bonuses.signup.limited_time': signup.limitedTime
      ? `${inPercent(signup.limitedTime.rate)} within ` +
        `${signup.limitedTime.minutesAfterSignup} minutes`
      : NOTHING,
    'bonuses.referrals': `${inUsd(referrals.earn)} for ${inUsd(referrals.spend)} spent`,
    ...describeSchedule(stage.vesting),
  }
}

function describePromotion(promotion: Promotion): FieldTexts {
  const buyParams = Object.entries(promotion.buyParams).map(([key, value]) => `${key}: ${value}`)
  return {
    image: inPicture(promotion.image),
    image_blue: inPicture(promotion.imageBlue),
    title: promotion.title ?? NOTHING,
    detail: promotion.detail ?? NOTHING,
    link: promotion.linkUrl ?? NOTHING,
    buy_params: inOrder(buyParams),
  }
}

function describeBanner(banner: Banner): FieldTexts {
  return {
    message: banner.message,
    tone: banner.tone,
    link_url: banner.linkUrl ?? NOTHING,
    link_label: banner.linkLabel ?? NOTHING,
    dismissible: String(banner.isDismissible),
    starts_date: instantText(banner.startsAt),
    ends_date: instantText(banner.endsAt),
    while: inOrder(banner.shownWhile.length === saleStatuses.length ? [] : banner.shownWhile),
  }
}

function inOrder(parts: readonly string[]): string {
  return parts.join(', ') || NOTHING
}

function inPrice(price: Price | null): string {
  return price === null ? NOTHING : formatDecimal(price, PRICE_DECIMALS)
}

function inUsd(amount: Usd | null): string {
  return amount === null ? NOTHING : `$${formatDecimal(amount, USD_DECIMALS)}`
}

function inPercent(rate: Percentage): string {
  return `${formatDecimal(rate, PERCENTAGE_DECIMALS)} %`
}

function instantText(instant: Date | null): string {
  return instant === null ? NOTHING : instant.toISOString()
}

function describeVesting(vesting: Vesting | null): FieldTexts {
  return {
    'vesting.starts': instantText(vesting?.startsAt ?? null),
    ...describeSchedule(vesting),
  }
}

/** As `promised-releases.ts` reads it back. */
function describeSchedule(schedule: ReleaseSchedule | null): FieldTexts {
  const tranches = schedule?.tranches.map(
    (tranche) => `${inPercent(tranche.percentage)} in month ${tranche.months}`,
  )
  return {
    'vesting.shape': schedule?.shape ?? NOTHING,
    'vesting.tranches': inOrder(tranches ?? []),
  }
}

function describeDelivery(delivery: Delivery | null): FieldTexts {
  return {
    'delivery.chain': delivery?.chain ?? NOTHING,
    'delivery.chain_id': String(delivery?.chainId ?? NOTHING),
    'delivery.decimals': String(delivery?.decimals ?? NOTHING),
    'delivery.treasury': delivery?.treasury ?? NOTHING,
  }
}

function inTranslations(translations: Translations): string {
  const languages = Object.entries(translations).map(([language, texts]) => {
    const pairs = Object.entries(texts)
    return `${language}: ${pairs.length} (${fingerprint(JSON.stringify(pairs))})`
  })
  return inOrder(languages)
}

function inLinks(links: Readonly<Record<string, string>>): string {
  return inOrder(Object.entries(links).map(([label, url]) => `${label} ${url}`))
}

function inPicture(picture: string | null): string {
  return picture === null ? NOTHING : `PNG ${fingerprint(picture)}`
}

/** Eight digits that differ from picture to picture; FNV-1a, which is not meant as protection. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
