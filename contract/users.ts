import { transactionStates } from '#domain/settlement/outcome.ts'
import * as z from 'zod/mini'
import { Instant, WireAmount } from './values.ts'
import { CountryCode } from './country-code.ts'
import { endpoint } from './endpoint.ts'
import { pageLanguages } from './language.ts'
import {
  GivenPassword,
  Id,
  Mobile,
  OneTimeCode,
  pageLimit,
  PersonName,
  Transaction,
  User,
} from './shapes.ts'

/** Another user's id gets the same reply as an id that does not exist. */
const UserParams = z.strictObject({ id: z.string() })

/** Specification section 9. */
const TRANSACTIONS_PAGE_SIZE = 5

const Session = z.object({
  id: Id,
  /** In words, such as `Chrome on Windows`. */
  device: z.string(),
  /** Where it was last refreshed from; null if unknown. */
  address: z.nullable(z.string()),
  /** The `User-Agent` header of the device. */
  user_agent: z.string(),
  started_date: Instant,
  last_used_date: Instant,
  is_current: z.boolean(),
})

export const usersContract = {
  getUser: endpoint({
    method: 'GET',
    path: '/users/{id}',
    access: 'user',
    summary: 'Returns the caller’s own account and balance.',
    params: UserParams,
    result: User,
    errors: ['EmailNotVerified'],
  }),
  updateUser: endpoint({
    method: 'PATCH',
    path: '/users/{id}',
    access: 'user',
    summary: 'Changes the given fields of the account.',
    params: UserParams,
    body: z.strictObject({
      first_name: z.optional(PersonName),
      last_name: z.optional(PersonName),
      nationality: z.optional(CountryCode),
      mobile: z.optional(z.nullable(Mobile)),
      language: z.optional(z.enum(pageLanguages)),
    }),
    result: User,
  }),
  eraseUser: endpoint({
    method: 'DELETE',
    path: '/users/{id}',
    access: 'user',
    summary:
      'Erases the personal fields; purchases stay in the ledger. The password may be left out ' +
      'within ten minutes of logging in.',
    params: UserParams,
    body: z.optional(
      z.strictObject({
        password: z.optional(GivenPassword),
        /** Along with the password, if two-factor login is on. */
        code: z.optional(OneTimeCode),
      }),
    ),
    errors: ['WrongPassword', 'WrongCode', 'ClaimCancellable', 'WalletTooNew', 'Busy'],
  }),
  listTransactions: endpoint({
    method: 'GET',
    path: '/users/{id}/transactions',
    access: 'user',
    summary: 'Lists the user’s transactions, newest first.',
    params: UserParams,
    query: z.strictObject({
      /** The first item of the page, inclusive. */
      after: z.optional(Id),
      /** The page ends just before this item. */
      before: z.optional(Id),
      limit: pageLimit(TRANSACTIONS_PAGE_SIZE),
      /** Only transactions in this state; all if left out. */
      state: z.optional(z.enum(transactionStates, { error: 'Must be open, done or refund' })),
    }),
    result: z.object({
      data: z.array(Transaction),
      before: z.nullable(Id),
      after: z.nullable(Id),
      /** How many there are in that state, on all pages. */
      total: z._default(z.int(), 0),
      /** How many of them are newer than the first item. */
      position: z._default(z.int(), 0),
    }),
  }),
  getReferrals: endpoint({
    method: 'GET',
    path: '/users/{id}/referrals',
    access: 'user',
    summary: 'Returns how many users registered through the caller’s link, and what that earned.',
    params: UserParams,
    result: z.object({ referred: z.int(), earned_tokens: WireAmount }),
  }),
  getReferralLink: endpoint({
    method: 'GET',
    path: '/users/{id}/referral-link',
    access: 'user',
    summary:
      'Returns the link that makes the caller the referrer of anyone who registers through it.',
    params: UserParams,
    result: z.object({ link: z.string() }),
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/users/{id}/sessions',
    access: 'user',
    summary: 'Lists the sessions in which the user is logged in.',
    params: UserParams,
    result: z.array(Session),
  }),
  endSessions: endpoint({
    method: 'DELETE',
    path: '/users/{id}/sessions',
    access: 'user',
    whilePasswordIsDue: true,
    summary: 'Ends all of the user’s sessions, including the one that makes the call.',
    params: UserParams,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/users/{id}/sessions/{session_id}',
    access: 'user',
    whilePasswordIsDue: true,
    summary: 'Ends one of the user’s sessions.',
    params: z.strictObject({ id: z.string(), session_id: z.string() }),
  }),
}
