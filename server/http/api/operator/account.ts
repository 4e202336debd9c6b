import { datesToWire, instantToWire } from '#contract/codec.ts'
import { accountContract, type OperatorAccount } from '#contract/operator/account.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { implement } from '#server/http/routing/implement.ts'
import { getAccount, getSelf, type OwnAccount } from '#server/use-cases/operators/own-account.ts'
import {
  addPasskey,
  changeOperatorPassword,
  confirmAuthenticator,
  getPasskeyCreation,
  removeAuthenticator,
  removePasskey,
  renewOperatorCodes,
  startAuthenticator,
} from '#server/use-cases/operators/own-factors.ts'
import {
  endSessionById,
  listOwnSessions,
  listSecurityEvents,
  signOut,
} from '#server/use-cases/operators/own-sessions.ts'

export const accountRoutes = implement(accountContract, {
  getSelf: async (services, _input, operator) => {
    const { sessionExpiresAt, isAlone, permissions, ...self } = await getSelf(services, operator)
    return {
      ...self,
      permissions: [...permissions],
      is_alone: isAlone,
      session_expires_date: instantToWire(sessionExpiresAt),
    }
  },
  signOut: async (services, _input, operator) => {
    await signOut(services, operator)
  },
  getAccount: async (services, _input, operator) => present(await getAccount(services, operator)),
  changeOperatorPassword: async (services, { body }, operator, client) => {
    const { current_password: currentPassword, password } = body
    await changeOperatorPassword(services, { currentPassword, password }, operator, client)
  },
  getPasskeyCreation: (services, { body }, operator) =>
    getPasskeyCreation(services, body.password, operator),
  addPasskey: async (services, { body }, operator, client) => {
    const given = { answer: body.passkey, name: body.name }
    return present(await addPasskey(services, given, operator, client))
  },
  removePasskey: async (services, { params, body }, operator, client) =>
    present(await removePasskey(services, { ...params, ...body }, operator, client)),
  startAuthenticator: (services, { body }, operator) =>
    startAuthenticator(services, body.password, operator),
  confirmAuthenticator: async (services, { body }, operator, client) =>
    present(await confirmAuthenticator(services, body.code, operator, client)),
  removeAuthenticator: async (services, { body }, operator, client) =>
    present(await removeAuthenticator(services, body.password, operator, client)),
  renewOperatorCodes: async (services, { body }, operator, client) => ({
    recovery_codes: await renewOperatorCodes(services, body.password, operator, client),
  }),
  listOwnSessions: async (services, _input, operator) =>
    (await listOwnSessions(services, operator)).map((session) => ({
      id: session.id,
      ...datesToWire(session),
      device: deviceName(session.user_agent),
      address: session.address,
      is_current: session.isCurrent,
    })),
  endOwnSession: async (services, { params }, operator, client) => {
    await endSessionById(services, params.id, operator, client)
  },
  listSecurityEvents: async (services, { query }, operator) => {
    const wanted = { after: query.after ?? null, limit: query.limit }
    const { items, after } = await listSecurityEvents(services, wanted, operator)
    return {
      data: items.map((event) => ({
        ...event,
        id: String(event.id),
        date: instantToWire(event.at),
        device: deviceName(event.user_agent),
      })),
      after: after === null ? null : String(after),
    }
  },
})

function present(account: OwnAccount): OperatorAccount {
  const { id, email, name, passkeys, authenticatorSince, recoveryCodesLeft } = account
  return {
    id,
    email,
    name,
    passkeys: passkeys.map((passkey) => ({ ...passkey, ...datesToWire(passkey) })),
    authenticator_date: authenticatorSince && instantToWire(authenticatorSince),
    recovery_codes_left: recoveryCodesLeft,
  }
}
