import * as z from 'zod/mini'
import { GivenEmail, Id } from '#contract/shapes.ts'
import { DecimalString, Instant } from '#contract/values.ts'
import { UserExport } from '#contract/export.ts'
import { pageLanguages } from '#contract/language.ts'
import {
  OperatorAction,
  operatorAct,
  operatorRead,
  OperatorHeaders,
  pageFrom,
  Reason,
  UserState,
} from './shapes.ts'
import { walletProofs } from '#domain/delivery/wallet.ts'
import { WalletAddress } from '#contract/delivery/wallets.ts'

/** An email address or an id. */
const UserParams = z.strictObject({ id: z.string() })

/** A buyer, as in the list of people. */
export const OperatorPerson = z.object({
  ...UserState.shape,
  /** How many purchases were made, and the dollars for which tokens were credited. */
  purchases: z.int(),
  credited_usd: DecimalString,
})
export type OperatorPerson = z.output<typeof OperatorPerson>

const Named = z.object({ id: Id, email: z.string(), name: z.string() })

/** A buyer, with what was recorded about them apart from their purchases. */
export const PersonRecord = z.object({
  ...OperatorPerson.shape,
  nationality: z.string(),
  mobile: z.nullable(z.string()),
  language: z.enum(pageLanguages),
  /** When the account was erased; since then its fields hold placeholders. */
  erased_date: z.nullable(Instant),
  two_factor_date: z.nullable(Instant),
  recovery_codes_left: z.int(),
  /** Purchases that were credited, and their tokens. */
  completed_purchases: z.int(),
  bought_tokens: DecimalString,
  bonus_tokens: DecimalString,
  /** Tokens earned by referring others. */
  earned_tokens: DecimalString,
  /** The user through whose link they came. */
  referred_by: z.nullable(Named),
  referred_count: z.int(),
  /** The users they referred, newest first, at most 50. */
  referred: z.array(
    z.object({
      ...Named.shape,
      signup_date: Instant,
      /** What that earned; null if nothing. */
      reward: z.nullable(z.object({ tokens: DecimalString, is_taken_back: z.boolean() })),
    }),
  ),
  sessions: z.array(
    z.object({
      id: Id,
      device: z.string(),
      address: z.nullable(z.string()),
      started_date: Instant,
      last_used_date: Instant,
    }),
  ),
  /** What operators did about them, oldest first. */
  actions: z.array(OperatorAction),
})
export type PersonRecord = z.output<typeof PersonRecord>

/** What operators can see and do about the people who buy. */
export const peopleContract = {
  searchPeople: operatorRead({
    path: '/operator/users',
    permission: 'people.read',
    summary:
      'Lists everyone who has an account, newest first, or the one with an email address or id.',
    query: z.strictObject({
      /** An email address or an id. */
      q: z.optional(z.string().check(z.maxLength(254))),
      ...pageFrom(Id),
    }),
    result: z.object({ data: z.array(OperatorPerson), after: z.nullable(Id) }),
  }),
  getPerson: operatorRead({
    path: '/operator/users/{id}',
    permission: 'people.read',
    summary:
      'Returns a user, named by email address or id: totals, referrals, sessions, and acts on ' +
      'them.',
    params: UserParams,
    result: PersonRecord,
  }),
  requirePasswordChange: operatorAct({
    path: '/operator/users/{id}/require-password-change',
    permission: 'people.help',
    summary:
      'Requires a user, named by email address or id, to choose a new password before anything ' +
      'else.',
    params: UserParams,
    result: UserState,
  }),
  endUserTwoFactor: operatorAct({
    path: '/operator/users/{id}/end-two-factor',
    permission: 'people.help',
    summary:
      'Turns two-factor login off for a user, named by email address or id, and notifies them.',
    params: UserParams,
    result: UserState,
    errors: ['TwoFactorNotOn'],
  }),
  endUserSessions: operatorAct({
    path: '/operator/users/{id}/end-sessions',
    permission: 'people.help',
    summary: 'Ends all sessions of a user, named by email address or id.',
    params: UserParams,
    result: UserState,
  }),
  resendVerification: operatorAct({
    path: '/operator/users/{id}/resend-verification',
    permission: 'people.help',
    summary: 'Mails a user, named by email address or id, another link that verifies the address.',
    params: UserParams,
    result: UserState,
    errors: ['EmailAlreadyVerified'],
  }),
  exportPerson: operatorRead({
    path: '/operator/users/{id}/export',
    permission: 'people.export',
    summary:
      'Returns everything stored about a user, named by email address or id, as they would get it.',
    params: UserParams,
    headers: OperatorHeaders,
    result: UserExport,
  }),
  erasePerson: operatorAct({
    path: '/operator/users/{id}/erase',
    permission: 'people.erase',
    summary:
      'Erases a user’s personal fields for good; purchases stay, under an id without a name.',
    params: UserParams,
    body: z.strictObject({
      /** The user’s email address, typed again. */
      email: GivenEmail,
    }),
    errors: ['ClaimCancellable', 'WalletTooNew'],
  }),
}

export const OperatorWallets = z.object({
  user_id: Id,
  /** Null if none is in effect. */
  address: z.nullable(z.string()),
  /** True if the books are closed: its owner can no longer change it, but two operators can. */
  is_frozen: z.boolean(),
  /** The address in the newest snapshot; null if there is none, or if they owned nothing in it. */
  frozen_address: z.nullable(z.string()),
  /** True if another account also has this address in effect: they get one row together. */
  is_shared: z.boolean(),
  /** Changes that operators requested and that are not done yet, oldest first. */
  asked_changes: z.array(
    z.object({
      approval_id: Id,
      address: z.string(),
      asked_by: z.nullable(z.string()),
      asked_date: Instant,
    }),
  ),
  /** All wallets that were ever set or requested, newest first. */
  wallets: z.array(
    z.object({
      address: z.string(),
      chain_id: z.int(),
      proof: z.enum(walletProofs),
      set_date: Instant,
      effective_date: Instant,
      cancelled_date: z.nullable(Instant),
    }),
  ),
})
export type OperatorWallets = z.output<typeof OperatorWallets>

export const operatorWalletsContract = {
  getUserWallets: operatorRead({
    path: '/operator/users/{id}/wallets',
    permission: 'delivery.read',
    summary:
      'Returns where the tokens of the user with this id go, and every wallet they ever named.',
    params: UserParams,
    result: OperatorWallets,
  }),
  changeUserWallet: operatorAct({
    path: '/operator/users/{id}/wallets/change',
    permission: 'delivery.manage',
    summary:
      'Changes where a user’s tokens go, after the owners were frozen. It waits for a second ' +
      'person in the console, even with the server’s token, and the user gets a mail.',
    params: UserParams,
    body: z.strictObject({
      address: WalletAddress,
      reason: Reason('Say in a few words why the wallet is changed'),
    }),
    result: OperatorWallets,
    mayWait: true,
    errors: ['WalletNotFrozen', 'WalletChanged'],
  }),
}
