import type { LockedBonuses, StageBonuses } from './bonus.ts'
import type { CryptoAmount, Percentage, Price, TokenAmount, Usd } from '#domain/money.ts'
import type { Offer, ReleaseSchedule, Translations, Vesting } from './offer.ts'
import type { SourcedPrice } from './price.ts'

/** A sale as its file declares it, with durations converted to instants. */
export type Sale = {
  project: Project
  accounts: { requireVerifiedEmail: boolean }
  purchases: PurchaseRules
  approvals: ApprovalRules
  /** The right of buyers to withdraw from a purchase; null if there is none. */
  withdrawal: Withdrawal | null
  /** Below this at the end, everything may be owed back; null if there is none. */
  softCap: Usd | null
  /** What a token costs after the end; null if it is the last stage's closing price. */
  finalPrice: Price | null
  paymentTokens: readonly PaymentToken[]
  /** In order; never empty. */
  stages: readonly Stage[]
  promotions: readonly Promotion[]
  banners: readonly Banner[]
  /** For bought tokens; null if the sale file does not say. */
  vesting: Vesting | null
  /** How the tokens get to their owners' wallets; null if the sale file does not say. */
  delivery: Delivery | null
  translations: Translations
}

/** On which chain and by which contract: the project's `contract`, once it is deployed. */
export type Delivery = {
  /** Normalised (see `normalizeChain`). */
  chain: string
  /** EIP-155. */
  chainId: number
  /** Of the token's contract; the sale's if the file leaves them out. */
  decimals: number
  /** The wallet from which tokens are sent if they are not claimed; with its checksum. */
  treasury: string | null
}

/** For this many days after the day of the purchase. */
export type Withdrawal = { days: number }

export type PurchaseRules = {
  expireAfterMs: number
  openPerUserMax: number
  /** Unpaid dollars of one user; null stands for the stage's `maxUsd`. */
  openWorthPerUser: Usd | null
  /** Unpaid dollars through one connection; null stands for ten times those of one user. */
  openWorthPerConnection: Usd | null
  /** How much of what is left of a stage may be reserved without a payment. */
  unpaidShare: Percentage
}

/** Which acts of an operator wait for a second person. */
export type ApprovalRules = {
  /** Marking a refund as paid that is worth more than this. */
  refundOver: Usd
  /** Releasing a purchase that was held or failed and is worth more than this. */
  releaseOver: Usd
  /** Resuming the sale in spite of faults in its books. */
  resume: boolean
  /** Applying a sale file that changes money. */
  applySale: boolean
}

export type Project = Offer & {
  name: string
  symbol: string
  decimals: number
  mainSiteUrl: string
  tagline: string
  launchNotice: string
  copyrightYear: number
  links: {
    header: Readonly<Record<string, string>>
    footer: Readonly<Record<string, Readonly<Record<string, string>>>>
    buyNow: string | null
  }
  /** For questions about the sale and personal data. */
  contactEmail: string | null
  /** Who handles personal data for the project, and what for. */
  processors: readonly { name: string; purpose: string }[]
  pictures: ProjectPictures
  /** Of the page about the project; null if the sale file has none. */
  info: ProjectInfo | null
}

/** Base64 of a PNG each; null if the sale file names none. */
export type ProjectPictures = {
  logo: string | null
  icon: string | null
  socialPreview: string | null
}

export type ProjectInfo = {
  facts: readonly { label: string; value: string; detail: string | null }[]
  sections: readonly { title: string; paragraphs: readonly string[] }[]
}

export const railNames = ['sandbox', 'evm', 'utxo', 'nowpayments', 'btcpay'] as const
export type RailName = (typeof railNames)[number]

export const gatewayNames = ['nowpayments', 'btcpay'] as const satisfies readonly RailName[]
export type GatewayName = (typeof gatewayNames)[number]

/**
 * Where a coin's price comes from: the feeds that agree, the seller's own feed alone, or the sale
 * file.
 */
export const priceOrigins = ['feeds', 'own', 'fixed'] as const
export type PriceOrigin = (typeof priceOrigins)[number]

/** A cryptocurrency on one chain in which a buyer may pay. */
export type PaymentToken = {
  id: string
  name: string
  symbol: string
  /** Normalised (see `normalizeChain`). */
  chain: string
  decimals: number
  minUsd: Usd
  /**
   * The price of one whole coin if `priceFrom` is `fixed`; in a sandbox, where the price starts.
   */
  fixedPrice: Price | null
  priceFrom: PriceOrigin
  /** Its test network, such as `signet`; null for a coin of value. */
  testNetwork: string | null
  /** What takes the payments: the first key of the file's `payment_provider_ids`. */
  rail: RailName
  /** Rail name to the token's name there. */
  providerIds: Readonly<Record<string, string>>
  /** EIP-155 chain id of an EVM chain. */
  chainId: number | null
  /** Contract of a token on an EVM chain. */
  contract: string | null
  /** False: nothing new can be bought in it, while its open purchases are watched and settled. */
  isEnabled: boolean
}

export function isSandboxSale({ paymentTokens }: Pick<Sale, 'paymentTokens'>): boolean {
  return paymentTokens.every(({ rail }) => rail === 'sandbox')
}

/** Undefined for an asset that is not one of the sale's payment tokens. */
export function paymentTokenOf(
  { paymentTokens }: Pick<Sale, 'paymentTokens'>,
  id: string | null,
): PaymentToken | undefined {
  return paymentTokens.find((paymentToken) => paymentToken.id === id)
}

export const stageTypes = ['fixed', 'dynamic'] as const
export type StageType = (typeof stageTypes)[number]

/** One priced part of the sale. */
export type Stage = {
  /** `stage-1` for the first in the file, and so on. */
  id: string
  name: string
  type: StageType
  tokenPrice: Price
  /** The price once everything is sold; equal to `tokenPrice` if the type is fixed. */
  finalTokenPrice: Price
  supply: TokenAmount
  /** Of the project's token, so that the stage's own amounts can be converted into dollars. */
  tokenDecimals: number
  startsAt: Date
  /** Null if the stage ends only by selling out. */
  endsAt: Date | null
  minUsd: Usd | null
  maxUsd: Usd | null
  bonuses: StageBonuses
  /** How its tokens are released; null if by the sale's own schedule. */
  vesting: ReleaseSchedule | null
}

export type Promotion = {
  key: string
  /** Base64 of a PNG. */
  image: string
  /** The same picture for the blue theme. */
  imageBlue: string | null
  /** The text over the picture; null if the picture contains it. */
  title: string | null
  detail: string | null
  /** A page of the product; null if it leads to the buy page. */
  linkUrl: string | null
  buyParams: Readonly<Record<string, string | number>>
}

export const saleStatuses = ['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED'] as const

/** At most one stage is `active` or `paused`. */
export const stageStatusNames = ['upcoming', 'active', 'paused', 'ended'] as const
export type StageStatus = (typeof stageStatusNames)[number]

export const bannerTones = ['info', 'success', 'warning'] as const

export type Banner = {
  id: string
  message: string
  tone: (typeof bannerTones)[number]
  linkUrl: string | null
  linkLabel: string | null
  isDismissible: boolean
  startsAt: Date | null
  endsAt: Date | null
  /** The statuses of the sale in which it is shown. */
  shownWhile: readonly (typeof saleStatuses)[number][]
}

/** A stage's progress. What is left for sale is supply − reserved − sold. */
export type StageProgress = {
  reserved: TokenAmount
  sold: TokenAmount
  /** The part of `reserved` that is not paid; left out if it is zero, or does not matter. */
  unpaid?: TokenAmount
  /** When everything was first sold; null or left out if it never was, or if that is unknown. */
  soldOutAt?: Date | null
}

/**
 * Why nothing is sold, whatever the stages: the sale is paused, or it was closed for good, or its
 * books were.
 */
export type SaleHalt = 'paused' | 'closed'

/** Everything about the sale that changes while it runs. */
export type Market = {
  halt: SaleHalt | null
  /** By stage id. */
  progress: ReadonlyMap<string, StageProgress>
  /** By symbol. */
  prices: ReadonlyMap<string, SourcedPrice & { fetchedAt: Date }>
}

/** The terms on which a purchase was made; they never change. */
export type PurchaseTerms = {
  stageId: string
  paymentTokenId: string
  usd: Usd
  tokenPrice: Price
  tokenDecimals: number
  cryptoPrice: Price
  cryptoDecimals: number
  /** What the buyer was asked to send. */
  cryptoDue: CryptoAmount
  /** Tokens held for the purchase, bonuses included. */
  reserved: TokenAmount
  lockedBonuses: LockedBonuses
  /** The larger of the stage's and the payment token's minimum. */
  minUsd: Usd
  /** Less than this never arrives by its rail; zero where anything does. */
  railMinUsd: Usd
  maxUsd: Usd | null
  requiredConfirmations: number
  /** The date of the version of the terms of service under which it was made. */
  termsDate: string
  /** Until when its buyer may withdraw from it, exclusive; null if they may not. */
  withdrawableUntil: Date | null
  createdAt: Date
  expiresAt: Date
  /**
   * Until when a first sighting counts as paid in time: if a chain does not show when a payment was
   * sent, one sent before the expiry may be mined a little after it. Never before `expiresAt`.
   */
  graceEndsAt: Date
}

/** Whether two sales agree in everything that rails are built from. */
export function hasSameRails(one: Sale, other: Sale): boolean {
  return railsKeyOf(one) === railsKeyOf(other)
}

function railsKeyOf({ paymentTokens, purchases }: Sale): string {
  const parts = [paymentTokens, purchases.expireAfterMs]
  return JSON.stringify(parts, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
