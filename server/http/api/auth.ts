import { authContract } from '#contract/auth.ts'
import { rowToWire } from '#contract/codec.ts'
import { pageLanguages } from '#contract/language.ts'
import { camelKeys } from '#domain/key-case.ts'
import type { Services } from '#server/services.ts'
import {
  changePassword,
  forgotPassword,
  resetPassword,
} from '#server/use-cases/accounts/passwords.ts'
import {
  confirmTwoFactor,
  endTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
} from '#server/use-cases/two-factor/change-two-factor.ts'
import { getTwoFactor } from '#server/use-cases/access/two-factor.ts'
import { logOut } from '#server/use-cases/sessions/own-sessions.ts'
import { login } from '#server/use-cases/sessions/login.ts'
import { refreshSession } from '#server/use-cases/sessions/refresh-session.ts'
import { register } from '#server/use-cases/accounts/register.ts'
import type { LoggedIn } from '#server/use-cases/sessions/start-session.ts'
import { sendVerificationEmail, verifyEmail } from '#server/use-cases/accounts/verify-email.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentTokens, presentUser } from './present-user.ts'
import { readMobile } from './read-mobile.ts'

export const authRoutes = implement(authContract, {
  register: async (services, { body }, _caller, client) => {
    const registration = {
      ...camelKeys(body),
      mobile: readMobile(body.mobile) ?? null,
      language: body.language ?? pageLanguages[0],
      referredBy: body.referrals?.referred_by ?? null,
    }
    return presentLoggedIn(services, await register(services, registration, client))
  },
  login: async (services, { body }, _caller, client) =>
    presentLoggedIn(services, await login(services, body, client)),
  refreshTokens: async (services, { body }, _caller, client) =>
    presentTokens(await refreshSession(services, body.refresh_token, client)),
  logout: (services, _input, caller) => logOut(services, caller),
  forgotPassword: (services, { body }, _caller, client) => forgotPassword(services, body, client),
  resetPassword: (services, { query, body }, _caller, client) =>
    resetPassword(services, { token: query.token, password: body.password }, client),
  changePassword: (services, { body }, caller) => changePassword(services, camelKeys(body), caller),
  sendVerificationEmail: (services, _input, caller) => sendVerificationEmail(services, caller),
  verifyEmail: (services, { query }, caller) => verifyEmail(services, query.token, caller),
  getTwoFactor: async (services, _input, caller) => rowToWire(await getTwoFactor(services, caller)),
  startTwoFactor: (services, { body }, caller) => startTwoFactor(services, body.password, caller),
  confirmTwoFactor: async (services, { body }, caller) => ({
    recovery_codes: await confirmTwoFactor(services, body.code, caller),
  }),
  renewRecoveryCodes: async (services, { body }, caller) => ({
    recovery_codes: await renewRecoveryCodes(services, body, caller),
  }),
  endTwoFactor: (services, { body }, caller) => endTwoFactor(services, body, caller),
})

function presentLoggedIn(services: Services, { account, tokens }: LoggedIn) {
  return {
    data: { user: presentUser(account, services.sale.project), tokens: presentTokens(tokens) },
  }
}
