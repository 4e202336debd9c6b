import { camelKeys } from '#domain/key-case.ts'
import { ALL, formatDecimal, percentage, usd, type Usd, USD_DECIMALS } from '#domain/money.ts'
import type { ApprovalRules, PaymentToken, PurchaseRules, Stage } from '#domain/sale/sale.ts'
import type { Place } from './document/place.ts'
import { converted, optional, required, section } from './document/readers.ts'
import {
  dollars,
  oneOf,
  percent,
  someDollars,
  trueOrFalse,
  wholeNumber,
} from './document/values.ts'

const EXPIRE_AFTER_MINUTES = 30
const OPEN_PER_USER = 10
const WEEK_MINUTES = 7 * 24 * 60

export const USUAL_PURCHASES: PurchaseRules = {
  expireAfterMs: EXPIRE_AFTER_MINUTES * 60_000,
  openPerUserMax: OPEN_PER_USER,
  openWorthPerUser: null,
  openWorthPerConnection: null,
  unpaidShare: ALL,
}

/** The default rules for acts that wait for a second person: $1,000, and always. */
export const USUAL_APPROVALS: ApprovalRules = {
  refundOver: usd(1000n * 10n ** BigInt(USD_DECIMALS)),
  releaseOver: usd(1000n * 10n ** BigInt(USD_DECIMALS)),
  resume: true,
  applySale: true,
}

export const accounts = section('a map with require_verified_email', {
  require_verified_email: optional(trueOrFalse, false),
})

const share = converted(percent, (value, place) =>
  value > percentage(0n) && value <= ALL
    ? value
    : place.mismatch('a percentage above 0 and up to 100'),
)

export const purchases = section(
  'a map with expire_after_minutes, open_per_user, open_worth_per_user, ' +
    'open_worth_per_connection and unpaid_share',
  {
    expire_after_minutes: optional(wholeNumber(1, WEEK_MINUTES), EXPIRE_AFTER_MINUTES),
    open_per_user: optional(wholeNumber(1, 1000), OPEN_PER_USER),
    open_worth_per_user: optional(someDollars, null),
    open_worth_per_connection: optional(someDollars, null),
    unpaid_share: optional(share, ALL),
  },
  {
    build: ({ expire_after_minutes, open_per_user, ...rest }) => ({
      ...camelKeys(rest),
      expireAfterMs: expire_after_minutes * 60_000,
      openPerUserMax: open_per_user,
    }),
  },
)

const always = converted(oneOf('always', 'never'), (word) => word === 'always')

export const approvals = section(
  'a map with refund_over_usd, release_over_usd, resume and apply_sale',
  {
    refund_over_usd: optional(dollars, USUAL_APPROVALS.refundOver),
    release_over_usd: optional(dollars, USUAL_APPROVALS.releaseOver),
    resume: optional(always, USUAL_APPROVALS.resume),
    apply_sale: optional(always, USUAL_APPROVALS.applySale),
  },
  {
    build: ({ refund_over_usd: refundOver, release_over_usd: releaseOver, ...rest }) => {
      return { ...camelKeys(rest), refundOver, releaseOver }
    },
  },
)

const WITHDRAWAL_DAYS_MAX = 90

/** The right of buyers to withdraw from a purchase. */
export const withdrawal = section('a map with days', {
  days: required(wholeNumber(1, WITHDRAWAL_DAYS_MAX)),
})

/** Reports a limit below the size of a single purchase, which nobody could then make. */
export function boundsFitStages(
  rules: PurchaseRules | undefined,
  stages: readonly Stage[] | undefined,
  place: Place,
): void {
  if (rules === undefined || stages === undefined) return
  const { openWorthPerUser, openWorthPerConnection } = rules
  const largest = stages.map(({ maxUsd, minUsd }) => maxUsd ?? minUsd).reduce(larger, null)
  if (openWorthPerUser !== null && largest !== null && openWorthPerUser < largest) {
    place
      .at('open_worth_per_user')
      .mismatch(`at least ${dollarsOf(largest)}, the largest purchase that a stage allows`)
  }
  const perUser = larger(largest, openWorthPerUser)
  if (openWorthPerConnection !== null && perUser !== null && openWorthPerConnection < perUser) {
    place
      .at('open_worth_per_connection')
      .mismatch(`at least ${dollarsOf(perUser)}, which one account may reserve`)
  }
}

/** Reports a minimum in which no purchase that is allowed could ever be paid. */
export function minimumsFitStages(
  paymentTokens: readonly PaymentToken[] | undefined,
  stages: readonly Stage[] | undefined,
  place: Place,
): void {
  const maxima = stages?.flatMap(({ maxUsd }) => maxUsd ?? []) ?? []
  if (maxima.length !== stages?.length) return
  const largest = maxima.reduce((one, other) => (one > other ? one : other))
  paymentTokens?.forEach(({ minUsd, isEnabled }, index) => {
    if (!isEnabled || minUsd <= largest) return
    place
      .items()
      ?.[index]?.at('min_amount_fiat')
      .mismatch(`at most ${dollarsOf(largest)}, the largest purchase that a stage allows`)
  })
}

function larger(one: Usd | null, other: Usd | null): Usd | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

const dollarsOf = (amount: Usd) => `$${formatDecimal(amount, USD_DECIMALS)}`
