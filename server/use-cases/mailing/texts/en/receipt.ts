import type { BonusType } from '#domain/sale/bonus.ts'

/** When something is released: a date, or null until the launch date is set. */
export type ReleaseWhen = { date: string | null; months: number }

/** The rows of a purchase, and the text below them. */
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
  release: {
    once: ({ date, months }: ReleaseWhen) =>
      date === null
        ? `Your tokens are released ${afterLaunch(months)}, all at once.`
        : `Your tokens are released on ${date}, all at once.`,
    /** Above a row for each release. */
    parts: (count: number) => `Your tokens are released in ${count} parts:`,
    noDay: 'The day of the launch is not set yet.',
    /** The label of a row. */
    when: ({ date, months }: ReleaseWhen) =>
      date ?? (months === 0 ? 'At launch' : afterLaunch(months)),
    /** The label of one row for all releases after the last listed one. */
    later: (count: number, until: string) => `${count} more, the last: ${until}`,
  },
}

function afterLaunch(months: number): string {
  if (months === 0) return 'at launch'
  return months === 1 ? '1 month after launch' : `${months} months after launch`
}
