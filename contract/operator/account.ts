import * as z from 'zod/mini'
import { permissions, roleNames } from '#domain/operators/permissions.ts'
import { endpoint, operatorEndpoint } from '#contract/endpoint.ts'
import {
  GivenEmail,
  GivenPassword,
  Id,
  LinkToken,
  NewPassword,
  OneTimeCode,
  PersonName,
} from '#contract/shapes.ts'
import { Instant, trimmedUpTo } from '#contract/values.ts'
import { NewPasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from './passkeys.ts'
import { ItemParams, NumberId, pageFrom, operatorRead } from './shapes.ts'

/** A person's name for one of their passkeys. */
const PasskeyName = trimmedUpTo(100, 'Name the passkey')

/** Shown once, and stored only as hashes. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** A secret for an authenticator app, as text and as an `otpauth:` link. */
export const AuthenticatorSecret = z.object({ secret: z.string(), uri: z.string() })

const TokenBody = z.strictObject({ token: LinkToken })

/** How operators sign in, or first accept an invitation. */
export const signInContract = {
  signIn: endpoint({
    method: 'POST',
    path: '/operator/sign-in',
    access: 'open',
    summary:
      'Starts a session with an email, a password and a code from an authenticator app or a ' +
      'recovery code.',
    body: z.strictObject({ email: GivenEmail, password: GivenPassword, code: OneTimeCode }),
    session: 'starts',
    errors: ['WrongCredentials', 'Busy'],
  }),
  getPasskeyRequest: endpoint({
    method: 'POST',
    path: '/operator/sign-in/passkey/options',
    access: 'open',
    summary:
      'Returns what a browser signs to sign in with just a passkey; works once, for five minutes.',
    result: PasskeyRequest,
  }),
  signInWithPasskey: endpoint({
    method: 'POST',
    path: '/operator/sign-in/passkey',
    access: 'open',
    summary: 'Starts a session with just a passkey.',
    body: z.strictObject({ passkey: UsedPasskey }),
    session: 'starts',
    errors: ['WrongCredentials'],
  }),
  openInvitation: endpoint({
    method: 'POST',
    path: '/operator/accept/open',
    access: 'open',
    summary: 'Returns who an invitation is for.',
    body: TokenBody,
    result: z.object({
      email: z.string(),
      role: z.enum(roleNames),
      /** The name of somebody whose factors were reset; null for somebody new. */
      name: z.nullable(z.string()),
      expires_date: Instant,
    }),
    errors: ['LinkInvalid'],
  }),
  getInvitedPasskeyCreation: endpoint({
    method: 'POST',
    path: '/operator/accept/passkey/options',
    access: 'open',
    summary: 'Returns what a browser makes the first passkey from; works once, for five minutes.',
    body: TokenBody,
    result: PasskeyCreation,
    errors: ['LinkInvalid'],
  }),
  startInvitedAuthenticator: endpoint({
    method: 'POST',
    path: '/operator/accept/authenticator',
    access: 'open',
    summary: 'Creates a secret for an authenticator app, replacing any earlier one.',
    body: TokenBody,
    result: AuthenticatorSecret,
    errors: ['LinkInvalid'],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/operator/accept',
    access: 'open',
    summary:
      'Accepts an invitation with a name, a password and a second factor, and starts a session.',
    body: z.strictObject({
      token: LinkToken,
      name: PersonName,
      password: NewPassword,
      /** Either a passkey or a code; the passkey counts if both are given. */
      passkey: z.optional(NewPasskey),
      passkey_name: z.optional(PasskeyName),
      code: z.optional(OneTimeCode),
    }),
    result: RecoveryCodes,
    session: 'starts',
    errors: ['LinkInvalid', 'PasskeyRefused', 'WrongCode', 'EmailTaken', 'Busy'],
  }),
}

/** Who is signed in at the console. */
export const OperatorSelf = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  role: z.enum(roleNames),
  permissions: z.array(z.enum(permissions)),
  /** True if nobody else was ever an operator, so that this one does what takes two people. */
  is_alone: z.boolean(),
  /** When the session ends, however much it is used. */
  session_expires_date: Instant,
})
export type OperatorSelf = z.output<typeof OperatorSelf>

export const OperatorAccount = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  passkeys: z.array(
    z.object({
      id: Id,
      name: z.string(),
      /** Whether it is also kept in an account of its owner, and not on just one device. */
      is_backed_up: z.boolean(),
      created_date: Instant,
      last_used_date: z.nullable(Instant),
    }),
  ),
  /** Since when an authenticator app has been on; null if none is. */
  authenticator_date: z.nullable(Instant),
  recovery_codes_left: z.int(),
})
export type OperatorAccount = z.output<typeof OperatorAccount>

export const OperatorSession = z.object({
  id: Id,
  device: z.string(),
  address: z.string(),
  started_date: Instant,
  last_used_date: Instant,
  expires_date: Instant,
  is_current: z.boolean(),
})

/** Something that happened to how a person signs in. */
export const SecurityEvent = z.object({
  id: z.string(),
  date: Instant,
  /** Such as `signed_in`, `sign_in_failed` or `passkey_added`; new ones may be added. */
  kind: z.string(),
  device: z.string(),
  address: z.string(),
  details: z.record(z.string(), z.string()),
})
export type SecurityEvent = z.output<typeof SecurityEvent>

const EventId = NumberId('Must be the id of an event')

/** The password again, so that somebody who finds an open console cannot change a factor. */
const ProofBody = z.strictObject({ password: GivenPassword })

/** Who the calling operator is, and what they may do with their own account at the console. */
export const accountContract = {
  getSelf: operatorRead({
    path: '/operator/self',
    permission: 'own.account',
    summary: 'Returns who is signed in, and what they may do.',
    result: OperatorSelf,
  }),
  signOut: operatorEndpoint({
    method: 'POST',
    path: '/operator/sign-out',
    permission: 'own.account',
    summary: 'Ends the caller’s session.',
    session: 'ends',
  }),
  getAccount: operatorRead({
    path: '/operator/me',
    permission: 'own.account',
    summary: 'Returns how the caller signs in: passkeys, authenticator app, recovery codes.',
    result: OperatorAccount,
  }),
  changeOperatorPassword: operatorEndpoint({
    method: 'POST',
    path: '/operator/me/password',
    permission: 'own.account',
    summary: 'Changes the caller’s password and ends all their other sessions.',
    body: z.strictObject({ current_password: GivenPassword, password: NewPassword }),
    errors: ['WrongPassword', 'Busy'],
  }),
  getPasskeyCreation: operatorEndpoint({
    method: 'POST',
    path: '/operator/me/passkeys/options',
    permission: 'own.account',
    summary: 'Returns what a browser makes another passkey from; works once, for five minutes.',
    body: ProofBody,
    result: PasskeyCreation,
    errors: ['WrongPassword', 'Busy'],
  }),
  addPasskey: operatorEndpoint({
    method: 'POST',
    path: '/operator/me/passkeys',
    permission: 'own.account',
    summary: 'Adds a passkey that was made from those options.',
    body: z.strictObject({ passkey: NewPasskey, name: PasskeyName }),
    result: OperatorAccount,
    errors: ['PasskeyRefused'],
  }),
  removePasskey: operatorEndpoint({
    method: 'POST',
    path: '/operator/me/passkeys/{id}/remove',
    permission: 'own.account',
    summary: 'Removes a passkey, unless it is the last second factor.',
    params: ItemParams,
    body: ProofBody,
    result: OperatorAccount,
    errors: ['WrongPassword', 'LastFactor', 'Busy'],
  }),
  startAuthenticator: operatorEndpoint({
    method: 'POST',
    path: '/operator/me/authenticator',
    permission: 'own.account',
    summary: 'Creates a secret for an authenticator app, which is on once a code proves it.',
    body: ProofBody,
    result: AuthenticatorSecret,
    errors: ['WrongPassword', 'TwoFactorAlreadyOn', 'Busy'],
  }),
  confirmAuthenticator: operatorEndpoint({
    method: 'POST',
    path: '/operator/me/authenticator/confirm',
    permission: 'own.account',
    summary: 'Turns the authenticator app on with a code from it.',
    body: z.strictObject({ code: OneTimeCode }),
    result: OperatorAccount,
    errors: ['WrongCode', 'TwoFactorNotStarted', 'TwoFactorAlreadyOn'],
  }),
  removeAuthenticator: operatorEndpoint({
    method: 'POST',
    path: '/operator/me/authenticator/remove',
    permission: 'own.account',
    summary: 'Turns the authenticator app off, unless it is the last second factor.',
    body: ProofBody,
    result: OperatorAccount,
    errors: ['WrongPassword', 'TwoFactorNotOn', 'LastFactor', 'Busy'],
  }),
  renewOperatorCodes: operatorEndpoint({
    method: 'POST',
    path: '/operator/me/recovery-codes',
    permission: 'own.account',
    summary: 'Creates ten new recovery codes that replace the old ones.',
    body: ProofBody,
    result: RecoveryCodes,
    errors: ['WrongPassword', 'Busy'],
  }),
  listOwnSessions: operatorRead({
    path: '/operator/me/sessions',
    permission: 'own.account',
    summary: 'Lists the sessions in which the caller is signed in, most recently used first.',
    result: z.array(OperatorSession),
  }),
  endOwnSession: operatorEndpoint({
    method: 'DELETE',
    path: '/operator/me/sessions/{id}',
    permission: 'own.account',
    summary: 'Ends one of the caller’s sessions.',
    params: ItemParams,
  }),
  listSecurityEvents: operatorRead({
    path: '/operator/me/history',
    permission: 'own.account',
    summary: 'Lists the security events of the caller’s account, newest first.',
    query: z.strictObject(pageFrom(EventId)),
    result: z.object({ data: z.array(SecurityEvent), after: z.nullable(z.string()) }),
  }),
}
