import type { BonusType } from '#domain/sale/bonus.ts'

/** The rows of a purchase, and what stands below them. */
export const receipt = {
  labels: {
    seller: 'Seller',
    buyer: 'Buyer',
    number: 'Purchase',
    date: 'Date',
    timeToPay: 'Deadline',
    amount: 'Amount',
    network: 'Network',
    youGet: 'You get',
    paid: 'Paid',
    usd: 'In dollars',
    price: 'Token price',
    averagePrice: 'Average token price',
    base: 'Tokens',
    total: 'Total',
    address: 'Address',
    transaction: 'Transaction',
    terms: 'Terms',
  },
  /** Specification section 9. */
  bonuses: {
    base_bonus: 'Stage Bonus',
    spending_bonus: '$ Amount Purchase Bonus',
    limited_time_bonus: 'Limited Time Bonus',
    limited_time_signup_bonus: 'Signup Bonus',
    first_purchase_bonus: 'First Purchase Bonus',
    tiered_fiat_bonus: 'Payment Token Bonus',
  } satisfies Record<BonusType, string>,
  toCopy: 'To copy',
  registered: (registration: string) => `registered as ${registration}`,
  termsOf: (day: string) => `Version of ${day}`,
  /** `first` and `months` as numbers, `start` as a day; null while it is not set. */
  release: ({ first, months, start }: { first: string; months: number; start: string | null }) => {
    const at = start === null ? 'at the launch, whose day is not set yet' : `on ${start}`
    if (months === 0) return `Your tokens are released ${at}.`
    const rest = `the rest in ${months} equal parts, one at the end of each month from then on`
    return months === 1
      ? `Your tokens are released in two parts: ${first}% ${at}, the rest at the end of the month.`
      : `Your tokens are released over ${months} months: ${first}% ${at}, ${rest}.`
  },
}
