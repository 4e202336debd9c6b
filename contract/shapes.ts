import { isEmail, isPersonName, MOBILE, passwordFault } from '#domain/accounts/account.ts'
import { bonusTypes } from '#domain/sale/bonus.ts'
import { refundClaimStates } from '#domain/refunds/claim-states.ts'
import { purchaseStatuses, refundReasons, statusReasons } from '#domain/settlement/outcome.ts'
import { bannerTones, priceOrigins, saleStatuses, stageTypes } from '#domain/sale/sale.ts'
import * as z from 'zod/mini'
import {
  DecimalString,
  Instant,
  noneIfAbsent,
  nullIfAbsent,
  textLike,
  textUpTo,
  WireAmount,
} from './values.ts'
import { pageLanguages } from './language.ts'
import {
  Paper,
  Question,
  Risk,
  Seller,
  SupplyShare,
  TokenContract,
  Translations,
  Vesting,
} from './sale-page-shapes.ts'

/** The objects sent over the wire; their names and keys come from the specification. */

export const Id = z.uuid({ error: 'Must be an id' })
const Link = z.url({ protocol: /^https?$/ })

/* ---- What comes in ---- */

const emailOr = (fault: string) =>
  z
    .string({ error: "Can't be empty" })
    .check(z.minLength(1, { error: "Can't be empty" }), z.refine(isEmail, { error: fault }))

export const Email = emailOr('Email is invalid')

/** The address whose password is forgotten; the specification has other words for its fault. */
export const ForgottenEmail = emailOr('Invalid email')

export const NewPassword = z.string({ error: "Can't be empty" }).check((context) => {
  const fault = passwordFault(context.value)
  if (fault !== null) {
    const message = context.value === '' ? "Can't be empty" : fault
    context.issues.push({ code: 'custom', message, input: context.value })
  }
})

/** A password to be checked, not chosen: its length is limited only to bound the hashing. */
export const GivenPassword = textUpTo(256, "Can't be empty")

/** An address to be looked up, not chosen: an invalid one simply has no account. */
export const GivenEmail = textUpTo(254, "Can't be empty")

export const PersonName = z.string({ error: "Can't be empty" }).check(
  z.minLength(1, { error: "Can't be empty" }),
  z.refine(isPersonName, {
    error: 'Must be 1 to 100 characters, without control characters',
  }),
)

export const PaymentTokenId = z.string({ error: 'Choose a payment token' })

/** Dial code, one space, the number. */
export const Mobile = textLike(MOBILE, 'Must be a dial code, a space and the number')

export const OneTimeCode = textLike(
  /^[\w-]{6,32}$/,
  'Must be 6 to 32 letters, digits or hyphens',
  'Must be a code of the authenticator app or a recovery code',
)

const TOKEN_FAULT = 'Must be the token that was given out'
export const LinkToken = textUpTo(200, TOKEN_FAULT, TOKEN_FAULT)

/** How many items a page of a list has, as text in a query; `countUnlessGiven` if left out. */
export function pageLimit(countUnlessGiven: number) {
  const limit = z.pipe(
    z.string({ error: 'Must be 1 to 100' }).check(
      z.regex(/^[1-9]\d{0,2}$/, { error: 'Must be 1 to 100' }),
      z.refine((text) => Number(text) <= 100, { error: 'Must be 1 to 100' }),
    ),
    z.transform(Number),
  )
  return z._default(limit, countUnlessGiven)
}

/* ---- What goes out ---- */

export const User = z.object({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  nationality: z.string(),
  mobile: z.nullable(z.string()),
  email: z.string(),
  is_email_verified: z.boolean(),
  signup_date: Instant,
  tokens: z.object({ base: WireAmount, bonuses: WireAmount, total: WireAmount }),
  /** What was paid for all completed purchases, in dollars. */
  paid_amount_fiat: z._default(WireAmount, 0),
  /** The language of the user's mails. */
  language: z._default(z.enum(pageLanguages), 'en'),
})
export type User = z.output<typeof User>

const Token = z.object({ token: z.string(), expires: Instant })
export const SessionTokens = z.object({ access: Token, refresh: Token })
export type SessionTokens = z.output<typeof SessionTokens>

/** Of a coin or token whose own are unknown: no amount has more. */
const DECIMALS_MOST = 18

export const PaymentToken = z.object({
  id: z.string(),
  name: z.string(),
  short_name: z.string(),
  /** Normalised: ERC20, BSC, BTC, or the chain's own name. */
  chain: z.string(),
  decimals: z._default(z.int(), DECIMALS_MOST),
  /**
   * As the sale file states it, in dollars. What applies now, which its rail may raise and a last
   * remainder lower, is in the reply of `/tokens/{id}/minimum-amount`.
   */
  min_amount_fiat: z._default(WireAmount, 0),
  payment_provider_ids: z.record(z.string(), z.string()),
  /** Public markets that agree, the seller's own price feed alone, or a price set by the seller. */
  price_from: nullIfAbsent(z.enum(priceOrigins)),
  /** The test network of its coins if they are worthless; otherwise null. */
  test_network: nullIfAbsent(z.string()),
})
export type PaymentToken = z.output<typeof PaymentToken>

const Links = z.record(z.string(), Link)

export const Project = z.object({
  name: z.string(),
  symbol: z.string(),
  decimals: z._default(z.int(), DECIMALS_MOST),
  main_site_url: Link,
  frontend_url: Link,
  tagline: z._default(z.string(), ''),
  launch_notice: z._default(z.string(), ''),
  copyright_year: z._default(z.int(), 2022),
  links: z._default(
    z.object({
      header: Links,
      footer: z.record(z.string(), Links),
      buy_now: nullIfAbsent(Link),
    }),
    { header: {}, footer: {}, buy_now: null },
  ),
  /** The contact for questions about the sale and personal data. */
  contact_email: nullIfAbsent(z.string()),
  /** Who handles personal data for the project, and for what purpose, in plain words. */
  processors: noneIfAbsent(z.object({ name: z.string(), purpose: z.string() })),
  /** The path of the project's logo; null if it has none. */
  logo_url: nullIfAbsent(z.string()),
  /** The content of the page `/info`; null if the sale has none. */
  info: nullIfAbsent(
    z.object({
      facts: z.array(
        z.object({ label: z.string(), value: z.string(), detail: z.nullable(z.string()) }),
      ),
      sections: z.array(z.object({ title: z.string(), paragraphs: z.array(z.string()) })),
    }),
  ),
  /** Each is null or empty if the sale file does not declare it. */
  seller: nullIfAbsent(Seller),
  contract: nullIfAbsent(TokenContract),
  papers: noneIfAbsent(Paper),
  questions: noneIfAbsent(Question),
  risk: nullIfAbsent(Risk),
  supply: noneIfAbsent(SupplyShare),
  vesting: nullIfAbsent(Vesting),
  /** The chain on which tokens are delivered; null if the sale shows nothing about delivery. */
  delivery: nullIfAbsent(z.object({ chain: z.string(), chain_id: z.int() })),
  translations: z._default(Translations, {}),
  /** What the sale has to raise, in dollars; null if it has no soft cap. */
  soft_cap: nullIfAbsent(WireAmount),
  payment_tokens: z.array(PaymentToken),
  /** True if payments, prices and mails are simulated. */
  is_sandbox: z._default(z.boolean(), false),
})
export type Project = z.output<typeof Project>

const Percentage = z.number().check(z.minimum(0))

export const StageBonuses = z.object({
  base_percentage: Percentage,
  tiered_fiat: z.array(z.object({ amount: WireAmount, percentage: Percentage })),
  payment_tokens: z.array(z.object({ token_id: z.string(), percentage: Percentage })),
  limited_time: z.nullable(
    z.object({ start_date: Instant, end_date: Instant, percentage: Percentage }),
  ),
  signup: z.object({
    first_purchase_percentage: Percentage,
    limited_time: z.nullable(z.object({ minutes_after_signup: z.int(), percentage: Percentage })),
  }),
  referrals: z.object({ earn: WireAmount, spend: WireAmount }),
})
export type StageBonuses = z.output<typeof StageBonuses>

export const Stage = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(stageTypes),
  token_price: WireAmount,
  total_tokens: WireAmount,
  sold_tokens: WireAmount,
  start_date: Instant,
  end_date: z.nullable(Instant),
  min_fiat_amount: z.nullable(WireAmount),
  max_fiat_amount: z.nullable(WireAmount),
  bonuses: StageBonuses,
})
export type Stage = z.output<typeof Stage>

export const BonusType = z.enum(bonusTypes)
export type BonusType = z.output<typeof BonusType>

export const BonusTokens = z.partialRecord(BonusType, WireAmount)
export type BonusTokens = z.output<typeof BonusTokens>

export const TransactionStatus = z.enum(purchaseStatuses)

export const StatusReason = z.enum(statusReasons)

export const WireReceipt = z.object({
  id: Id,
  amount: DecimalString,
  confirmations: z.int(),
  /** More than the purchase's own if it brought more than was asked for. */
  required_confirmations: z._default(z.int(), 1),
  seen_date: Instant,
  /** Null for a gateway that does not report it. */
  transaction_hash: nullIfAbsent(z.string()),
  explorer_url: z.nullable(z.string()),
})

/** Money of a purchase that could not be credited. */
export const Refund = z.object({
  /** Exact, in whole units of the coin that was received; in base units if that has no symbol. */
  amount: DecimalString,
  /** What was sent of it, which is less the network's fee; null while it is due. */
  sent_amount: z.nullable(DecimalString),
  /** The coin's symbol; null if neither the sale takes it nor a gateway names it. */
  symbol: z.nullable(z.string()),
  /** The chain it came on, as a payment token names it; null for any other coin. */
  chain: z.nullable(z.string()),
  status: z.enum(['due', 'paid']),
  why: z.enum(refundReasons),
  /** Whether it is in no claim; it may be too little, or on its way by hand: see `GET /refunds`. */
  is_claimable: z.boolean(),
  /** The claim that it is in, or that paid it. */
  claim: z.nullable(z.object({ id: Id, state: z.enum(refundClaimStates) })),
  /** The hash of the transaction that paid it. */
  transaction_hash: z.nullable(z.string()),
  explorer_url: z.nullable(z.string()),
})

/** A purchase (type `purchase`) or a reward (type `referral`) of the domain. */
export const Transaction = z.object({
  id: Id,
  type: z.enum(['purchase', 'referral']),
  status: TransactionStatus,
  status_reason: z.nullable(StatusReason),
  user_id: Id,
  /** Null for a referral reward, like the other fields of the payment. */
  payment_token: z.nullable(PaymentToken),
  payment_address: z.nullable(z.string()),
  payment_id: z.nullable(z.string()),
  initial_purchase_amount_crypto: z.nullable(WireAmount),
  initial_purchase_amount_fiat: z.nullable(WireAmount),
  actual_purchase_amount_crypto: z.nullable(WireAmount),
  actual_purchase_amount_fiat: z.nullable(WireAmount),
  created_date: Instant,
  expires_date: z.nullable(Instant),
  completed_date: z.nullable(Instant),
  token_price: WireAmount,
  tokens: z.object({ base: WireAmount, bonuses: BonusTokens, total: WireAmount }),
  /** The exact amount that is still due; 0 where the rest is less than the gateway takes. */
  payment_amount: z.nullable(DecimalString),
  /** A payment link (BIP-21 or ERC-681) for what is still due. */
  payment_uri: z.nullable(z.string()),
  confirmations: z.int(),
  required_confirmations: z.int(),
  receipts: z.array(WireReceipt),
  /** The stage whose tokens it gives; null for a referral reward. */
  stage_id: nullIfAbsent(z.string()),
  refunds: noneIfAbsent(Refund),
  /** The date of the version of the terms that it was made under, such as `2026-11-22`. */
  terms_date: nullIfAbsent(z.string()),
  /** Until when the buyer may withdraw from it, exclusive; null if they may not. */
  withdrawable_until_date: nullIfAbsent(Instant),
  withdrawn_date: nullIfAbsent(Instant),
  /** Where the locked price of the payment token came from: names of feeds, `own` or `fixed`. */
  price_sources: noneIfAbsent(z.string()),
})
export type Transaction = z.output<typeof Transaction>

export const Prices = z.record(z.string(), z.object({ USD: WireAmount }))
export type Prices = z.output<typeof Prices>

export const Banner = z.object({
  id: z.string(),
  message: z.string(),
  tone: z.enum(bannerTones),
  link_url: z.nullable(z.string()),
  link_label: z.nullable(z.string()),
  dismissible: z.boolean(),
  starts_date: z.nullable(Instant),
  ends_date: z.nullable(Instant),
  while: z._default(z.array(z.enum(saleStatuses)), [...saleStatuses]),
})
export type Banner = z.output<typeof Banner>
