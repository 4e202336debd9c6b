import type { LockedBonuses, StageBonuses } from './bonus.ts'
import type { CryptoAmount, Percentage, Price, TokenAmount, Usd } from '#domain/money.ts'
import type { Offer, ReleaseSchedule, Translations, Vesting } from './offer.ts'
import type { SourcedPrice } from './price.ts'

/** A sale as its file declares it, with durations counted out to instants. */
export type Sale = {
  project: Project
  accounts: { requireVerifiedEmail: boolean }
  purchases: PurchaseRules
  approvals: ApprovalRules
  /** The right of buyers to withdraw from a purchase; null if there is none. */
  withdrawal: Withdrawal | null
  /** Below this at the end, everything may be owed back; null if there is none. */
  softCap: Usd | null
  /** What a token costs after the end; null if that is the last stage's closing price. */
  finalPrice: Price | null
  paymentTokens: readonly PaymentToken[]
  /** In their order; never empty. */
  stages: readonly Stage[]
  promotions: readonly Promotion[]
  banners: readonly Banner[]
  /** Of the tokens that are bought; null if the sale file does not tell. */
  vesting: Vesting | null
  /** How the tokens come to their owners' wallets; null if the sale file does not tell. */
  delivery: Delivery | null
  translations: Translations
}

/** On which chain, by which contract: that of the project's `contract`, once it is deployed. */
export type Delivery = {
  /** Normalised (see `normalizeChain`). */
  chain: string
  /** EIP-155. */
  chainId: number
  /** Of the token's contract; those of the sale where the file leaves them out. */
  decimals: number
  /** The wallet that tokens are sent from where nobody claims them; with its checksum. */
  treasury: string | null
}

/** For how many days after that of the purchase. */
export type Withdrawal = { days: number }

export type PurchaseRules = {
  expireAfterMs: number
  openPerUserMax: number
  /** Unpaid dollars of one user; null if it is the stage's `maxUsd`. */
  openWorthPerUser: Usd | null
  /** Unpaid dollars by one connection; null if it is ten times those of one user. */
  openWorthPerConnection: Usd | null
  /** Of what is left of a stage, how much may be reserved without a payment. */
  unpaidShare: Percentage
}

/** What of an operator's acts waits for a second person. */
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

/**
 * Where a coin's price comes from: the feeds that agree, the seller's own feed alone, or the sale
 * file.
 */
export const priceOrigins = ['feeds', 'own', 'fixed'] as const
export type PriceOrigin = (typeof priceOrigins)[number]

/** A cryptocurrency on one chain that a buyer may pay in. */
export type PaymentToken = {
  id: string
  name: string
  symbol: string
  /** Normalised (see `normalizeChain`). */
  chain: string
  decimals: number
  minUsd: Usd
  /** What one whole coin costs where `priceFrom` is `fixed`; in a sandbox, where it starts from. */
  fixedPrice: Price | null
  priceFrom: PriceOrigin
  /** The test network that it is of, such as `signet`; null for a coin that is worth something. */
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

/** True for a sale of which every payment is simulated. */
export function isSandboxSale({ paymentTokens }: Pick<Sale, 'paymentTokens'>): boolean {
  return paymentTokens.every(({ rail }) => rail === 'sandbox')
}

/** Undefined for what is none of the sale's payment tokens. */
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
  /** The price once all is sold; `tokenPrice` itself where the type is fixed. */
  finalTokenPrice: Price
  supply: TokenAmount
  /** Of the project's token, so that a stage's own amounts can be turned into dollars. */
  tokenDecimals: number
  startsAt: Date
  /** Null if the stage ends only by selling out. */
  endsAt: Date | null
  minUsd: Usd | null
  maxUsd: Usd | null
  bonuses: StageBonuses
  /** How its tokens are released; null if that is as the sale's others are. */
  vesting: ReleaseSchedule | null
}

export type Promotion = {
  key: string
  /** Base64 of a PNG. */
  image: string
  /** The same picture for the blue theme. */
  imageBlue: string | null
  /** What is written on the picture; null if it says it itself. */
  title: string | null
  detail: string | null
  /** A page of the product; null if it leads to the buy page. */
  linkUrl: string | null
  buyParams: Readonly<Record<string, string | number>>
}

export const saleStatuses = ['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED'] as const

/** One stage at most is `active` or `paused`. */
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

/** How far a stage has come. What is left for sale is supply − reserved − sold. */
export type StageProgress = {
  reserved: TokenAmount
  sold: TokenAmount
  /** What of `reserved` nobody has paid for; left out where it is nothing, or does not matter. */
  unpaid?: TokenAmount
  /** When all was first sold; null or left out where it never was, or where that is not known. */
  soldOutAt?: Date | null
}

/** Everything about the sale that changes while it runs. */
export type Market = {
  isPaused: boolean
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
  maxUsd: Usd | null
  requiredConfirmations: number
  /** The day of the version of the terms of service that it was made under. */
  termsDate: string
  /** Until when its buyer may withdraw from it, exclusive; null if they may not. */
  withdrawableUntil: Date | null
  createdAt: Date
  expiresAt: Date
  /**
   * Until when what is first seen counts as paid in time: where a chain does not tell when a
   * payment was sent, one from before the expiry is mined a little after it. Never before
   * `expiresAt`.
   */
  graceEndsAt: Date
}
