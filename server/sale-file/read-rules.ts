import { percentage, type Usd, USD_DECIMALS, formatDecimal } from '#domain/money.ts'
import { ALL } from '#domain/sale/reservation.ts'
import type { PurchaseRules, Stage } from '#domain/sale/sale.ts'
import type { Place } from './document/place.ts'
import { converted, optional, section } from './document/readers.ts'
import { percent, someDollars, trueOrFalse, wholeNumber } from './document/values.ts'

const EXPIRE_AFTER_MINUTES = 30
const OPEN_PER_USER = 10
const WEEK_MINUTES = 7 * 24 * 60

/** The default rules for purchases. */
export const USUAL_PURCHASES: PurchaseRules = {
  expireAfterMs: EXPIRE_AFTER_MINUTES * 60_000,
  openPerUserMax: OPEN_PER_USER,
  openWorthPerUser: null,
  openWorthPerConnection: null,
  unpaidShare: ALL,
}

/** Null if missing: the default depends on whether payments are real. */
export const accounts = section(
  'a map with require_verified_email',
  { require_verified_email: optional(trueOrFalse, null) },
  { build: (rules) => ({ requireVerifiedEmail: rules.require_verified_email }) },
)

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
    build: (rules) => ({
      expireAfterMs: rules.expire_after_minutes * 60_000,
      openPerUserMax: rules.open_per_user,
      openWorthPerUser: rules.open_worth_per_user,
      openWorthPerConnection: rules.open_worth_per_connection,
      unpaidShare: rules.unpaid_share,
    }),
  },
)

/** Reports a limit below the size of a single purchase, which nobody could ever make. */
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

function larger(one: Usd | null, other: Usd | null): Usd | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

const dollarsOf = (amount: Usd) => `$${formatDecimal(amount, USD_DECIMALS)}`
