import * as z from 'zod/mini'

import { endpoint } from '#contract/endpoint.ts'
import { Instant } from '#contract/instant.ts'
import { GivenPassword, Id, NewPassword, OneTimeCode, PersonName } from '#contract/shapes.ts'
import { NewPasskey, PasskeyCreation } from './passkeys.ts'
import { Limit } from './shapes.ts'
import { AuthenticatorSecret, PasskeyName, RecoveryCodes } from './sign-in.ts'

/** How somebody signs in. */
export const OperatorAccount = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  passkeys: z.array(
    z.object({
      id: Id,
      name: z.string(),
      /** Whether an account of its owner also keeps it, and not just one device. */
      is_backed_up: z.boolean(),
      created_date: Instant,
      last_used_date: z.nullable(Instant),
    }),
  ),
  /** Since when an authenticator app is on; null if none is. */
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
export type OperatorSession = z.output<typeof OperatorSession>

/** Something that happened to how a person signs in. */
export const SecurityEvent = z.object({
  id: z.string(),
  date: Instant,
  /** Such as `signed_in`, `sign_in_failed` or `passkey_added`; there may be new ones. */
  kind: z.string(),
  device: z.string(),
  address: z.string(),
  details: z.record(z.string(), z.string()),
})
export type SecurityEvent = z.output<typeof SecurityEvent>

const EventId = z.pipe(
  z.string().check(z.regex(/^\d{1,18}$/, { error: 'Must be the id of an event' })),
  z.transform((text: string) => BigInt(text)),
)

const ItemParams = z.strictObject({ id: z.string() })
/** The password once more: somebody who finds an open console cannot change a factor. */
const ProofBody = z.strictObject({ password: GivenPassword })

/** What operators may do with their own account at the console. */
export const accountContract = {
  getAccount: endpoint({
    method: 'GET',
    path: '/operator/me',
    access: 'operator',
    permission: 'own.account',
    summary: 'How one signs in: passkeys, authenticator app, recovery codes.',
    result: OperatorAccount,
    errors: [],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/operator/me',
    access: 'operator',
    permission: 'own.account',
    summary: 'Changes one’s name. What was done before keeps the name that it was done under.',
    body: z.strictObject({ name: PersonName }),
    result: OperatorAccount,
    errors: [],
  }),
  changeOperatorPassword: endpoint({
    method: 'POST',
    path: '/operator/me/password',
    access: 'operator',
    permission: 'own.account',
    summary: 'Changes one’s password, and ends every other session.',
    body: z.strictObject({ current_password: GivenPassword, password: NewPassword }),
    errors: ['WrongPassword', 'Busy'],
  }),
  getPasskeyCreation: endpoint({
    method: 'POST',
    path: '/operator/me/passkeys/options',
    access: 'operator',
    permission: 'own.account',
    summary: 'What a browser makes another passkey from; works once, for five minutes.',
    body: ProofBody,
    result: PasskeyCreation,
    errors: ['WrongPassword', 'Busy'],
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/operator/me/passkeys',
    access: 'operator',
    permission: 'own.account',
    summary: 'Adds a passkey that was made from those options.',
    body: z.strictObject({ passkey: NewPasskey, name: PasskeyName }),
    result: OperatorAccount,
    errors: ['PasskeyRefused'],
  }),
  renamePasskey: endpoint({
    method: 'PATCH',
    path: '/operator/me/passkeys/{id}',
    access: 'operator',
    permission: 'own.account',
    summary: 'Gives a passkey another name.',
    params: ItemParams,
    body: z.strictObject({ name: PasskeyName }),
    result: OperatorAccount,
    errors: [],
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/operator/me/passkeys/{id}/remove',
    access: 'operator',
    permission: 'own.account',
    summary: 'Removes a passkey, unless it is the last second factor.',
    params: ItemParams,
    body: ProofBody,
    result: OperatorAccount,
    errors: ['WrongPassword', 'LastFactor', 'Busy'],
  }),
  startAuthenticator: endpoint({
    method: 'POST',
    path: '/operator/me/authenticator',
    access: 'operator',
    permission: 'own.account',
    summary: 'Makes a secret for an authenticator app, which is on once a code proves it.',
    body: ProofBody,
    result: AuthenticatorSecret,
    errors: ['WrongPassword', 'TwoFactorAlreadyOn', 'Busy'],
  }),
  confirmAuthenticator: endpoint({
    method: 'POST',
    path: '/operator/me/authenticator/confirm',
    access: 'operator',
    permission: 'own.account',
    summary: 'Turns the authenticator app on by a code of it.',
    body: z.strictObject({ code: OneTimeCode }),
    result: OperatorAccount,
    errors: ['WrongCode', 'TwoFactorNotStarted', 'TwoFactorAlreadyOn'],
  }),
  removeAuthenticator: endpoint({
    method: 'POST',
    path: '/operator/me/authenticator/remove',
    access: 'operator',
    permission: 'own.account',
    summary: 'Turns the authenticator app off, unless it is the last second factor.',
    body: ProofBody,
    result: OperatorAccount,
    errors: ['WrongPassword', 'TwoFactorNotOn', 'LastFactor', 'Busy'],
  }),
  renewOperatorCodes: endpoint({
    method: 'POST',
    path: '/operator/me/recovery-codes',
    access: 'operator',
    permission: 'own.account',
    summary: 'Makes ten new recovery codes in place of the older ones.',
    body: ProofBody,
    result: RecoveryCodes,
    errors: ['WrongPassword', 'Busy'],
  }),
  listOwnSessions: endpoint({
    method: 'GET',
    path: '/operator/me/sessions',
    access: 'operator',
    permission: 'own.account',
    summary: 'Where one is signed in, the latest used first.',
    result: z.array(OperatorSession),
    errors: [],
  }),
  endOwnSession: endpoint({
    method: 'DELETE',
    path: '/operator/me/sessions/{id}',
    access: 'operator',
    permission: 'own.account',
    summary: 'Ends one of one’s sessions.',
    params: ItemParams,
    errors: [],
  }),
  listSecurityEvents: endpoint({
    method: 'GET',
    path: '/operator/me/history',
    access: 'operator',
    permission: 'own.account',
    summary: 'What happened to how one signs in, newest first.',
    query: z.strictObject({ after: z.optional(EventId), limit: Limit }),
    result: z.object({ data: z.array(SecurityEvent), after: z.nullable(z.string()) }),
    errors: [],
  }),
}
