import { isEmail, normalizeEmail } from '#domain/accounts/account.ts'
import { connectionOf, networkOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import { findOperatorByEmail, lockOperator } from '#server/database/operators/operators.ts'
import { findPasskey, type PasskeyRow, usePasskey } from '#server/database/operators/passkeys.ts'
import type { Client, PasskeyOptions, PasskeyProof, Try } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { takeCode } from '#server/use-cases/access/two-factor.ts'
import { verifyCounted } from '#server/use-cases/access/verify-counted.ts'
import { noteSecurityEvent } from './note-security-event.ts'
import { makeChallenge, takingChallenge } from './passkey-challenges.ts'
import {
  isKnownNetwork,
  type StartedOperatorSession,
  startOperatorSession,
} from './start-operator-session.ts'

const SIGN_IN = { purpose: 'sign_in', boundTo: null } as const

/**
 * Starts a session with a password and a code. Refuses with `WrongCredentials`, in the same words
 * and after the same work, whichever is wrong and whether or not the address is known; before that,
 * with `TooManyRequests` or `Busy`.
 */
export async function signIn(
  services: Services,
  input: { email: string; password: string; code: string },
  client: Client,
): Promise<StartedOperatorSession> {
  const { database, limits, random } = services
  const email = normalizeEmail(input.email)
  const connection = connectionOf(client.address)
  // A text that is not an address may be too long, or contain what the database refuses.
  const found = await findOperatorByEmail(database, isEmail(email) ? email : '')
  const id = found?.id ?? random.id()
  // Strangers fill no pot of a network that the operator has signed in from.
  const network = (await isKnownNetwork(services, id, client)) ? networkOf(client.address) : null
  const tries: Record<'here' | 'all', Try> = {
    here: { rule: 'operator_sign_in_by_account_and_address', key: `${email} ${connection}` },
    all:
      network === null
        ? { rule: 'operator_sign_in_by_account', key: email }
        : { rule: 'operator_sign_in_by_account_and_network', key: `${email} ${network}` },
  }
  await limits.takeInOrder([
    { rule: 'operator_sign_in_by_address', key: connection },
    tries.here,
    tries.all,
  ])
  const given = { hash: found?.password_hash ?? null, password: input.password }
  const isRight = await verifyCounted(services, given, [tries.here, tries.all], client)
  const session = await database
    .transaction()
    .execute(async (transaction) => {
      const operator = await lockOperator(transaction, id)
      const taken = await takeCode(services, transaction, id, input.code)
      const isSame = operator !== null && operator.password_hash === found?.password_hash
      // Thrown, so that the code is not used up by somebody who does not know the password.
      if (!isRight || !isSame || taken === null) throw new Refusal('WrongCredentials')
      const code = taken === 'app' ? 'an authenticator app' : `a recovery code, ${taken} left`
      return await startOperatorSession(
        services,
        transaction,
        { operator, kind: 'signed_in', by: `a password and ${code}` },
        client,
      )
    })
    .catch(async (thrown: unknown) => {
      if (!(thrown instanceof Refusal)) throw thrown
      return await refuse(services, { operatorId: found?.id ?? null, by: 'a password' }, client)
    })
  await limits.restore({ refunded: [tries.all], cleared: [tries.here] })
  return session
}

/** What a browser signs to sign in with only a passkey. */
export async function getPasskeyRequest(
  services: Services,
  client: Client,
): Promise<PasskeyOptions['request']> {
  await services.limits.take('operator_sign_in_by_address', connectionOf(client.address))
  return services.passkeys.request(await makeChallenge(services, SIGN_IN))
}

/**
 * Starts a session with a passkey, which stands for two factors: the device, and the way it
 * verifies its user. Refuses with `WrongCredentials`, also if the passkey seems to have been
 * copied.
 */
export async function signInWithPasskey(services: Services, proof: PasskeyProof, client: Client) {
  const { clock, database, limits, passkeys } = services
  await limits.take('operator_sign_in_by_address', connectionOf(client.address))
  const passkey = await findPasskey(database, proof.id)
  const by = 'a passkey'
  if (passkey === null || !isOwnerOf(passkey, proof)) {
    return await refuse(services, { operatorId: null, by }, client)
  }
  const publicKey = passkey.public_key
  const used = await passkeys.verifyUsed(proof, { publicKey }, takingChallenge(services, SIGN_IN))
  const operatorId = passkey.operator_id
  if (used === null) return await refuse(services, { operatorId, by }, client)

  const session = await database.transaction().execute(async (transaction) => {
    const operator = await lockOperator(transaction, operatorId)
    if (operator === null) return null
    if (!(await usePasskey(transaction, passkey.id, { ...used, at: clock.now() }))) return null
    const how = `${by}, “${passkey.name}”`
    return await startOperatorSession(
      services,
      transaction,
      { operator, kind: 'signed_in', by: how },
      client,
    )
  })
  return session ?? (await refuseCopied(services, passkey, client))
}

/** The handle is the id given when the passkey was made: it must be this operator's. */
function isOwnerOf({ operator_id: id }: PasskeyRow, { response }: PasskeyProof): boolean {
  const { userHandle } = response
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === id
}

const WRONG = {
  'a password': 'Email, password and code do not match. Check all three',
  'a passkey': 'This passkey was not accepted. Try again, or sign in with a password and a code',
}

async function refuse(
  services: Services,
  { operatorId, by }: { operatorId: string | null; by: keyof typeof WRONG },
  client: Client,
): Promise<never> {
  const event = { operatorId, kind: 'sign_in_failed', details: { by } } as const
  await noteSecurityEvent(services, services.database, event, client)
  services.log.warn({ address: client.address, operatorId }, 'An operator’s sign-in was refused')
  throw new Refusal('WrongCredentials', { message: WRONG[by] })
}

async function refuseCopied(
  services: Services,
  { operator_id: operatorId, name }: PasskeyRow,
  client: Client,
): Promise<never> {
  const event = { operatorId, kind: 'passkey_copied', details: { name } } as const
  await noteSecurityEvent(services, services.database, event, client)
  services.log.warn(
    { address: client.address, operatorId },
    'A passkey was refused: its counter did not grow, so it may be a copy',
  )
  throw new Refusal('WrongCredentials', { message: WRONG['a passkey'] })
}
