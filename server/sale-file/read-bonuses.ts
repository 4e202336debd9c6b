import { camelKeys } from '#domain/key-case.ts'
import {
  formatDecimal,
  type Percentage,
  percentage,
  PERCENTAGE_DECIMALS,
  type Usd,
  usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import type { StageBonuses } from '#domain/sale/bonus.ts'
import { endsAfterStart } from './document/dates.ts'
import type { Place } from './document/place.ts'
import { list, optional, type Reader, required, section, unique } from './document/readers.ts'
import { dollars, paymentTokenId, percent, someDollars, wholeNumber } from './document/values.ts'

const NO_SIGNUP: StageBonuses['signup'] = { firstPurchase: percentage(0n), limitedTime: null }
const NO_REFERRALS: StageBonuses['referrals'] = { earn: usd(0n), spend: usd(0n) }
const MINUTES_MAX = 10 * 366 * 24 * 60

export const NO_BONUSES: StageBonuses = {
  base: percentage(0n),
  spending: [],
  paymentTokens: [],
  limitedTime: null,
  signup: NO_SIGNUP,
  referrals: NO_REFERRALS,
}

export function stageBonuses(
  when: Reader<Date>,
  paymentTokenIds: ReadonlySet<string>,
): Reader<StageBonuses> {
  return section(
    'a map of bonuses',
    {
      base_percentage: optional(percent, NO_BONUSES.base),
      tiered_fiat: optional(tiers, []),
      payment_tokens: optional(paymentTokenRates(paymentTokenIds), []),
      limited_time: optional(limitedTime(when), null),
      signup: optional(signup, NO_SIGNUP),
      referrals: optional(referrals, NO_REFERRALS),
    },
    {
      build: ({ base_percentage: base, tiered_fiat: spending, ...rest }) => {
        return { ...camelKeys(rest), base, spending }
      },
    },
  )
}

const tiers = list(
  () => {
    const rises = rising()
    return section(
      'a map with amount and percentage',
      { amount: required(someDollars), percentage: required(percent) },
      {
        check: rises,
        build: (tier) => ({ from: tier.amount, rate: tier.percentage }),
      },
    )
  },
  { expected: 'a list of at most 20 tiers', countMax: 20 },
)

function paymentTokenRates(known: ReadonlySet<string>): Reader<StageBonuses['paymentTokens']> {
  return list(
    () => {
      const hasTokenOfItsOwn = unique('a payment token')
      return section(
        'a map with token_id and percentage',
        { token_id: required(paymentTokenId(known)), percentage: required(percent) },
        {
          check: (bonus, place) => hasTokenOfItsOwn(bonus.token_id, place.at('token_id')),
          build: (bonus) => ({ paymentTokenId: bonus.token_id, rate: bonus.percentage }),
        },
      )
    },
    { expected: 'a list of at most 100 bonuses for payment tokens', countMax: 100 },
  )
}

function limitedTime(when: Reader<Date>): Reader<StageBonuses['limitedTime']> {
  return section(
    'a map with start_date, end_date and percentage',
    {
      start_date: required(when),
      end_date: required(when),
      percentage: required(percent),
    },
    {
      check: (bonus, place) =>
        endsAfterStart(bonus.start_date, bonus.end_date, place.at('end_date')),
      build: (bonus) => ({
        startsAt: bonus.start_date,
        endsAt: bonus.end_date,
        rate: bonus.percentage,
      }),
    },
  )
}

const signupLimitedTime = section(
  'a map with minutes_after_signup and percentage',
  {
    minutes_after_signup: required(wholeNumber(1, MINUTES_MAX)),
    percentage: required(percent),
  },
  {
    build: (bonus) => ({ minutesAfterSignup: bonus.minutes_after_signup, rate: bonus.percentage }),
  },
)

const signup: Reader<StageBonuses['signup']> = section(
  'a map with first_purchase_percentage and limited_time',
  {
    first_purchase_percentage: optional(percent, NO_SIGNUP.firstPurchase),
    limited_time: optional(signupLimitedTime, null),
  },
  {
    build: ({ first_purchase_percentage: firstPurchase, limited_time: limitedTime }) => {
      return { firstPurchase, limitedTime }
    },
  },
)

const referrals: Reader<StageBonuses['referrals']> = section('a map with earn and spend', {
  earn: required(dollars),
  spend: required(dollars),
})

type Tier = { amount: Usd | undefined; percentage: Percentage | undefined }

/** Each tier starts above the previous one and gives at least as much. */
function rising() {
  let above: Tier = { amount: undefined, percentage: undefined }
  return ({ amount, percentage: rate }: Tier, place: Place) => {
    if (amount !== undefined && above.amount !== undefined && amount <= above.amount) {
      const least = formatDecimal(above.amount, USD_DECIMALS)
      place.at('amount').mismatch(`more than ${least}, the tier above`)
    }
    if (rate !== undefined && above.percentage !== undefined && rate < above.percentage) {
      const least = formatDecimal(above.percentage, PERCENTAGE_DECIMALS)
      place.at('percentage').mismatch(`at least ${least}, as the tier above gives`)
    }
    above = { amount: amount ?? above.amount, percentage: rate ?? above.percentage }
  }
}
