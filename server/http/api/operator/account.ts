import { instantToWire, orNull, rowToWire } from '#contract/codec.ts'
import { accountContract, type OperatorAccount } from '#contract/operator/account.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { camelKeys } from '#domain/key-case.ts'
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
    const self = await getSelf(services, operator)
    return { ...rowToWire(self), permissions: [...self.permissions] }
  },
  signOut: (services, _input, operator) => signOut(services, operator),
  getAccount: async (services, _input, operator) => present(await getAccount(services, operator)),
  changeOperatorPassword: (services, { body }, operator, client) =>
    changeOperatorPassword(services, camelKeys(body), operator, client),
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
      ...rowToWire(session),
      device: deviceName(session.user_agent),
    })),
  endOwnSession: (services, { params }, operator, client) =>
    endSessionById(services, params.id, operator, client),
  listSecurityEvents: async (services, { query }, operator) => {
    const { items, after } = await listSecurityEvents(services, query, operator)
    return {
      data: items.map((event) => ({
        ...rowToWire(event),
        id: String(event.id),
        device: deviceName(event.user_agent),
      })),
      after: orNull(after, String),
    }
  },
})

function present(account: OwnAccount): OperatorAccount {
  const { passkeys, authenticatorSince } = account
  return {
    ...rowToWire(account),
    passkeys: passkeys.map(rowToWire),
    authenticator_date: authenticatorSince && instantToWire(authenticatorSince),
  }
}
