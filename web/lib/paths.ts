import * as z from 'zod/mini'
import { useSearchParams } from 'react-router'
import { transactionStates } from '#domain/settlement/outcome.ts'

export const paths = {
  dashboard: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  cancelWallet: '/cancel-wallet',
  account: '/account',
  buy: '/buy',
  promotions: '/promotions',
  referrals: '/referrals',
  terms: '/terms',
  privacyPolicy: '/privacy-policy',
  info: '/info',
  proof: '/proof',
  sandbox: '/sandbox',
} as const

/** The id of the risks on the page `/info`. */
export const RISKS_ID = 'risks'
/** The fragment for the account page's part about two-factor login. */
export const TWO_FACTOR_SECTION = 'two-factor'

/** The fragment for the part about the receiving wallet. */
export const WALLET_SECTION = 'wallet'

/** The queries of those pages that have one. Malformed values count as left out. */
export const searches = {
  buy: z.object({
    usd_amount: z.catch(z.optional(z.string().check(z.regex(/^\d{1,12}(\.\d+)?$/))), undefined),
    token_id: z.optional(z.string()),
    /** The transaction whose dialog is open. */
    id: z.optional(z.string()),
    /** What the list of transactions is filtered by. */
    state: z.catch(z.optional(z.enum(transactionStates)), undefined),
  }),
  /** A payment to be filled in. */
  sandbox: z.object({ address: z.optional(z.string()), amount: z.optional(z.string()) }),
  register: z.object({ referral: z.optional(z.string()) }),
  /** Of the pages that a mailed link leads to. */
  mailedLink: z.object({ token: z.optional(z.string()) }),
}

/** The buy page with a choice filled in, or with a transaction's dialog open. */
export function buyPath(search: z.output<typeof searches.buy>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) query.set(name, value)
  }
  return `${paths.buy}?${query}`
}

/** The query of the page's address, read by one of the `searches`. */
export function useSearch<S extends z.core.$ZodType>(schema: S): z.output<S> {
  const [params] = useSearchParams()
  return z.parse(schema, Object.fromEntries(params))
}
