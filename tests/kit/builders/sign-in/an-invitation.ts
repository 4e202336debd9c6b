import { signInContract } from '#contract/operator/account.ts'
import { teamContract } from '#contract/operator/team.ts'
import type { Role } from '#domain/operators/permissions.ts'
import type { CallOptions, Reply } from '#tests/kit/servers/client.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { aSoftPasskey, type SoftPasskey } from './a-passkey.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'

let count = 0

/** Invites somebody with the server's token; returns the token of the link. */
export async function anInvitation({ client }: TestApp, role: Role = 'viewer') {
  const email = `invited.${process.pid}.${(count += 1)}@example.com`
  const input = { headers: named, body: { email, role } }
  const { body } = await client.call(teamContract.inviteOperator, input, operator)
  return { ...body, token: tokenOf(body.link) }
}

export const tokenOf = (link: string) => link.slice(link.indexOf('#') + 1)

/** The options of a call in the session that a reply has started. */
export function sessionOf(reply: Reply<unknown>): CallOptions {
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
  return { headers: { cookie } }
}

export type SignedUp = {
  email: string
  password: string
  passkey: SoftPasskey
  recoveryCodes: string[]
  as: CallOptions
}

/** Accepts an invitation as a person does: with a name, a password and a passkey. */
export async function signUp(
  { client }: TestApp,
  invited: { token: string; email: string },
  passkey: SoftPasskey = aSoftPasskey(),
): Promise<SignedUp> {
  const { token, email } = invited
  const options = await client.call(signInContract.getInvitedPasskeyCreation, { body: { token } })
  const password = 'passw0rd-1815'
  const body = { token, name: 'Grace', password, passkey: passkey.make(options.body) }
  const reply = await client.call(signInContract.acceptInvitation, { body })
  const { recovery_codes: recoveryCodes } = reply.body
  return { email, password, passkey, recoveryCodes, as: sessionOf(reply) }
}

/** The reply to signing in with a passkey, whatever it is. */
export async function usePasskey(
  { client }: TestApp,
  passkey: SoftPasskey,
  given?: Parameters<SoftPasskey['use']>[1],
) {
  const { body: options } = await client.call(signInContract.getPasskeyRequest, {})
  const body = { passkey: passkey.use(options, given) }
  return await client.call(signInContract.signInWithPasskey, { body })
}
