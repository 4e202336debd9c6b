import * as z from 'zod/mini'

import { roleNames } from '#domain/operators/permissions.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Instant } from '#contract/values.ts'
import {
  GivenEmail,
  GivenPassword,
  LinkToken,
  NewPassword,
  OneTimeCode,
  PersonName,
} from '#contract/shapes.ts'
import { NewPasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from './passkeys.ts'

/** A person's name for one of their passkeys. */
export const PasskeyName = z
  .string({ error: 'Name the passkey' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Name the passkey' }),
    z.maxLength(100, { error: 'Must be at most 100 characters' }),
  )

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
