import type { LockedBonuses, StageBonuses } from '#domain/sale/bonus.ts'
import {
  type CryptoAmount,
  cryptoAmount,
  parseDecimal,
  type Percentage,
  percentage,
  PERCENTAGE_DECIMALS,
  type Price,
  price,
  PRICE_DECIMALS,
  type TokenAmount,
  tokenAmount,
  type Usd,
  usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import type { PurchaseFacts, ReceiptFact } from '#domain/settlement/facts.ts'
import {
  type Banner,
  type PaymentToken,
  type Project,
  type Promotion,
  type PurchaseRules,
  type PurchaseTerms,
  type Sale,
  saleStatuses,
  type Stage,
  type StageProgress,
} from '#domain/sale/sale.ts'

export const TOKEN_DECIMALS = 18
export const ETH_DECIMALS = 18

function units(text: string, decimals: number): bigint {
  const parsed = parseDecimal(text.replaceAll('_', ''), decimals)
  if (parsed === null) throw new Error(`'${text}' is no amount with ${decimals} decimals.`)
  return parsed
}

export const dollars = (text: string): Usd => usd(units(text, USD_DECIMALS))
export const tokens = (text: string): TokenAmount => tokenAmount(units(text, TOKEN_DECIMALS))
export const eth = (text: string): CryptoAmount => cryptoAmount(units(text, ETH_DECIMALS))
/** Rules by which nobody is ever refused because of unpaid reservations. */
export const WITHOUT_BOUNDS: Pick<
  PurchaseRules,
  'openWorthPerUser' | 'openWorthPerConnection' | 'unpaidShare'
> = {
  openWorthPerUser: usd(10n ** 24n),
  openWorthPerConnection: usd(10n ** 24n),
  unpaidShare: percentage(1_000_000n),
}

export const priced = (text: string): Price => price(units(text, PRICE_DECIMALS))
export const percent = (text: string): Percentage => percentage(units(text, PERCENTAGE_DECIMALS))

/** An instant, in minutes after the beginning of the example sale. */
export const minute = (minutes: number): Date =>
  new Date(Date.UTC(2030, 0, 1) + Math.round(minutes * 60_000))

export function someBonuses(bonuses: Partial<StageBonuses> = {}): StageBonuses {
  return {
    base: percent('0'),
    spending: [],
    paymentTokens: [],
    limitedTime: null,
    signup: { firstPurchase: percent('0'), limitedTime: null },
    referrals: { earn: dollars('0'), spend: dollars('0') },
    ...bonuses,
  }
}

/** A stage of 1,000,000 tokens for $0.10, open from minute 0 on, without limits or bonuses. */
export function aStage(stage: Partial<Stage> = {}): Stage {
  const tokenPrice = stage.tokenPrice ?? priced('0.1')
  return {
    id: 'stage-1',
    name: 'Stage 1',
    type: 'fixed',
    tokenPrice,
    finalTokenPrice: tokenPrice,
    supply: tokens('1_000_000'),
    tokenDecimals: TOKEN_DECIMALS,
    startsAt: minute(0),
    endsAt: null,
    minUsd: null,
    maxUsd: null,
    bonuses: someBonuses(),
    vesting: null,
    ...stage,
  }
}

export function aProject(project: Partial<Project> = {}): Project {
  return {
    name: 'Example',
    symbol: 'EXA',
    decimals: TOKEN_DECIMALS,
    mainSiteUrl: 'https://example.com',
    tagline: '',
    launchNotice: '',
    copyrightYear: 2030,
    links: { header: {}, footer: {}, buyNow: null },
    contactEmail: null,
    processors: [],
    pictures: { logo: null, icon: null, socialPreview: null },
    info: null,
    seller: null,
    contract: null,
    papers: [],
    questions: [],
    risk: null,
    supply: [],
    ...project,
  }
}

export function aPromotion(promotion: Partial<Promotion> = {}): Promotion {
  return {
    key: 'launch',
    image: 'iVBORw0KGgo=',
    imageBlue: null,
    title: null,
    detail: null,
    linkUrl: null,
    buyParams: {},
    ...promotion,
  }
}

export function aBanner(banner: Partial<Banner> = {}): Banner {
  return {
    id: 'hello',
    message: 'Hello',
    tone: 'info',
    linkUrl: null,
    linkLabel: null,
    isDismissible: true,
    startsAt: null,
    endsAt: null,
    shownWhile: saleStatuses,
    ...banner,
  }
}

export function aSale(sale: Partial<Sale> = {}): Sale {
  return {
    project: aProject(),
    accounts: { requireVerifiedEmail: false },
    purchases: { expireAfterMs: 1_800_000, openPerUserMax: 10, ...WITHOUT_BOUNDS },
    approvals: {
      refundOver: usd(1_000n * 10n ** 6n),
      releaseOver: usd(1_000n * 10n ** 6n),
      resume: true,
      applySale: true,
    },
    withdrawal: null,
    softCap: null,
    finalPrice: null,
    paymentTokens: [aPaymentToken()],
    stages: [aStage()],
    promotions: [],
    banners: [],
    vesting: null,
    delivery: null,
    translations: {},
    ...sale,
  }
}

/** ETH, at least $10. */
export function aPaymentToken(paymentToken: Partial<PaymentToken> = {}): PaymentToken {
  return {
    id: 'eth',
    name: 'Ethereum',
    symbol: 'ETH',
    chain: 'ERC20',
    decimals: ETH_DECIMALS,
    minUsd: dollars('10'),
    fixedPrice: priced('2000'),
    rail: 'sandbox',
    providerIds: { sandbox: 'eth' },
    chainId: 1,
    contract: null,
    priceFrom: 'feeds',
    testNetwork: null,
    isEnabled: true,
    ...paymentToken,
  }
}

export function progress(sold: string, reserved = '0'): StageProgress {
  return { sold: tokens(sold), reserved: tokens(reserved) }
}

/** 10 % for everybody, and 5 % more from $2,000 on. */
export const exampleBonuses: LockedBonuses = {
  flat: { base_bonus: percent('10') },
  spending: [{ from: dollars('2000'), rate: percent('5') }],
}

/**
 * $1,000 for 10,000 tokens and 1,000 of bonus, to be paid with 0.5 ETH by minute 30; at least $100
 * and at most $5,000.
 */
export function someTerms(terms: Partial<PurchaseTerms> = {}): PurchaseTerms {
  return {
    stageId: 'stage-1',
    paymentTokenId: 'eth',
    usd: dollars('1000'),
    tokenPrice: priced('0.1'),
    tokenDecimals: TOKEN_DECIMALS,
    cryptoPrice: priced('2000'),
    cryptoDecimals: ETH_DECIMALS,
    cryptoDue: eth('0.5'),
    reserved: tokens('11000'),
    lockedBonuses: exampleBonuses,
    minUsd: dollars('100'),
    railMinUsd: dollars('0'),
    maxUsd: dollars('5000'),
    requiredConfirmations: 2,
    termsDate: '2030-01-01',
    withdrawableUntil: null,
    createdAt: minute(0),
    expiresAt: minute(30),
    graceEndsAt: minute(30),
    ...terms,
  }
}

/** The market that {@link someTerms} were made on. */
export const sameMarket: NonNullable<ReceiptFact['market']> = {
  stageId: 'stage-1',
  tokenPrice: priced('0.1'),
  cryptoPrice: priced('2000'),
}

/** A confirmed payment in ETH, ten minutes after the purchase, at an unchanged market. */
export function aReceipt(amount: string, receipt: Partial<ReceiptFact> = {}): ReceiptFact {
  const state = receipt.state ?? 'confirmed'
  return {
    id: 'receipt-1',
    amount: eth(amount),
    isRightAsset: true,
    state,
    confirmations: state === 'confirmed' ? 2 : 0,
    requiredConfirmations: 2,
    wasConfirmed: state === 'confirmed',
    seenAt: minute(10),
    market: sameMarket,
    ...receipt,
  }
}

/**
 * A purchase on {@link someTerms} to which nothing has happened, with its chain read to minute 20.
 */
export function someFacts(facts: Partial<PurchaseFacts> = {}): PurchaseFacts {
  const terms = facts.terms ?? someTerms()
  return {
    terms,
    receipts: [],
    grants: [],
    reservationLeft: terms.reserved,
    isFirstPurchaseBonusLost: false,
    marks: [],
    reversal: null,
    hasGatewayFailed: false,
    chainReadThrough: minute(20),
    ...facts,
  }
}
