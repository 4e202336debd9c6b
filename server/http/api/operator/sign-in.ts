import { rowToWire } from '#contract/codec.ts'
import { signInContract } from '#contract/operator/account.ts'
import { camelKeys } from '#domain/key-case.ts'
import { implement } from '#server/http/routing/implement.ts'
import {
  acceptInvitation,
  getInvitedPasskeyCreation,
  openInvitation,
  startInvitedAuthenticator,
} from '#server/use-cases/operators/accept-invitation.ts'
import {
  getPasskeyRequest,
  signIn,
  signInWithPasskey,
} from '#server/use-cases/operators/sign-in.ts'

export const signInRoutes = implement(signInContract, {
  signIn: async (services, { body }, _caller, client) => ({
    session: await signIn(services, body, client),
    result: undefined,
  }),
  getPasskeyRequest: (services, _input, _caller, client) => getPasskeyRequest(services, client),
  signInWithPasskey: async (services, { body }, _caller, client) => ({
    session: await signInWithPasskey(services, body.passkey, client),
    result: undefined,
  }),
  openInvitation: async (services, { body }, _caller, client) =>
    rowToWire(await openInvitation(services, body.token, client)),
  getInvitedPasskeyCreation: (services, { body }, _caller, client) =>
    getInvitedPasskeyCreation(services, body.token, client),
  startInvitedAuthenticator: (services, { body }, _caller, client) =>
    startInvitedAuthenticator(services, body.token, client),
  acceptInvitation: async (services, { body }, _caller, client) => {
    const { session, recoveryCodes } = await acceptInvitation(services, camelKeys(body), client)
    return { session, result: { recovery_codes: recoveryCodes } }
  },
})
