import * as z from 'zod/mini'
import { CountryCode } from './country-code.ts'
import { endpoint } from './endpoint.ts'
import { pageLanguages } from './language.ts'
import {
  Email,
  ForgottenEmail,
  GivenEmail,
  GivenPassword,
  LinkToken,
  Mobile,
  NewPassword,
  OneTimeCode,
  PersonName,
  SessionTokens,
  User,
} from './shapes.ts'

const LoggedIn = z.object({ data: z.object({ user: User, tokens: SessionTokens }) })
const LinkQuery = z.strictObject({ token: LinkToken })
const RecoveryCodes = z.object({
  /** Each works once, in place of a code. They are shown only this once. */
  recovery_codes: z.array(z.string()),
})

export const authContract = {
  register: endpoint({
    method: 'POST',
    path: '/auth/register',
    access: 'open',
    summary: 'Creates an account and logs the user in.',
    body: z.strictObject({
      first_name: PersonName,
      last_name: PersonName,
      email: Email,
      nationality: CountryCode,
      password: NewPassword,
      mobile: z.optional(Mobile),
      /** The language of the user's mails; English if left out. */
      language: z.optional(z.enum(pageLanguages)),
      referrals: z.optional(
        z.strictObject({
          /** The id of the referrer; anything else, or an unknown id, counts as none. */
          referred_by: z.catch(z.optional(z.string()), undefined),
        }),
      ),
    }),
    status: 201,
    result: LoggedIn,
    errors: ['EmailTaken', 'Busy'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'open',
    summary: 'Starts a session.',
    body: z.strictObject({
      email: GivenEmail,
      password: GivenPassword,
      code: z.optional(OneTimeCode),
      /** Of the user's mails from now on, if one was chosen; if left out, it stays as it is. */
      language: z.optional(z.enum(pageLanguages)),
    }),
    result: LoggedIn,
    errors: ['WrongCredentials', 'TwoFactorRequired', 'WrongTwoFactorCode', 'Busy'],
  }),
  refreshTokens: endpoint({
    method: 'POST',
    path: '/auth/refresh-tokens',
    access: 'open',
    summary: 'Exchanges a refresh token for new tokens; the old one ends.',
    body: z.strictObject({ refresh_token: LinkToken }),
    result: SessionTokens,
    errors: ['RefreshTokenInvalid'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    access: 'user',
    whilePasswordIsDue: true,
    summary: 'Ends the session that makes the call.',
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'open',
    summary: 'Mails a link to choose a new password, if the address has an account.',
    body: z.strictObject({ email: ForgottenEmail }),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'open',
    summary: 'Sets a new password with a mailed link and ends all of the user’s sessions.',
    query: LinkQuery,
    body: z.strictObject({ password: NewPassword }),
    errors: ['LinkInvalid', 'Busy'],
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/auth/change-password',
    access: 'user',
    whilePasswordIsDue: true,
    summary: 'Sets a new password and ends all of the user’s other sessions.',
    body: z.strictObject({ current_password: GivenPassword, password: NewPassword }),
    errors: ['WrongPassword', 'Busy'],
  }),
  sendVerificationEmail: endpoint({
    method: 'POST',
    path: '/auth/send-verification-email',
    access: 'user',
    summary: 'Mails a link that verifies the user’s email address.',
    errors: ['EmailAlreadyVerified'],
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/auth/verify-email',
    access: 'user',
    summary: 'Verifies an email address with the mailed link.',
    query: LinkQuery,
    errors: ['LinkInvalid', 'EmailAlreadyVerified'],
  }),
  getTwoFactor: endpoint({
    method: 'GET',
    path: '/auth/two-factor',
    access: 'user',
    summary: 'Returns whether two-factor login is on, and how many recovery codes are left.',
    result: z.object({ is_on: z.boolean(), recovery_codes_left: z.int() }),
  }),
  startTwoFactor: endpoint({
    method: 'POST',
    path: '/auth/two-factor',
    access: 'user',
    summary: 'Creates a secret for an authenticator app. Nothing changes until it is confirmed.',
    body: z.strictObject({ password: GivenPassword }),
    result: z.object({
      /** In base32, to type in. */
      secret: z.string(),
      /** The same as an `otpauth:` link, for a QR code. */
      uri: z.string(),
    }),
    errors: ['WrongPassword', 'TwoFactorAlreadyOn', 'Busy'],
  }),
  confirmTwoFactor: endpoint({
    method: 'POST',
    path: '/auth/two-factor/confirm',
    access: 'user',
    summary: 'Turns two-factor login on.',
    body: z.strictObject({ code: OneTimeCode }),
    result: RecoveryCodes,
    errors: ['WrongCode', 'TwoFactorAlreadyOn', 'TwoFactorNotStarted'],
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/auth/two-factor/recovery-codes',
    access: 'user',
    summary: 'Creates ten new recovery codes and voids the old ones.',
    body: z.strictObject({ password: GivenPassword, code: OneTimeCode }),
    result: RecoveryCodes,
    errors: ['WrongPassword', 'WrongCode', 'TwoFactorNotOn', 'Busy'],
  }),
  endTwoFactor: endpoint({
    method: 'DELETE',
    path: '/auth/two-factor',
    access: 'user',
    summary: 'Turns two-factor login off.',
    body: z.strictObject({ password: GivenPassword, code: OneTimeCode }),
    errors: ['WrongPassword', 'WrongCode', 'TwoFactorNotOn', 'Busy'],
  }),
}
