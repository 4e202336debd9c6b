import { Refusal } from '#domain/refusal.ts'
import { enqueueOperatorMail } from '#server/database/books/outbox.ts'
import { confirmTwoFactorRow, deleteAuthenticator } from '#server/database/accounts/two-factor.ts'
import { countFactors } from '#server/database/operators/factors.ts'
import {
  endOperatorSessions,
  findOperatorSession,
} from '#server/database/operators/operator-sessions.ts'
import {
  lockOperator,
  type OperatorRow,
  updateOperator,
} from '#server/database/operators/operators.ts'
import { deletePasskey, insertPasskey, listPasskeys } from '#server/database/operators/passkeys.ts'
import type { SecurityEventKind } from '#server/database/tables/operator-tables.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type {
  Client,
  PasskeyAnswer,
  PasskeyOptions,
  PasskeyTransport,
} from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  proveApp,
  renewCodes,
  restoreCodeTry,
  startApp,
} from '#server/use-cases/access/two-factor.ts'
import { requirePassword, samePassword } from '#server/use-cases/access/user-account.ts'
import { noteSecurityEvent } from './note-security-event.ts'
import { getAccount, type OwnAccount, type OwnOperator, requireOwn } from './own-account.ts'
import { makeChallenge, takingChallenge } from './passkey-challenges.ts'

const APP = 'an authenticator app'
const passkeyInWords = (name: string) => `the passkey “${name}”`

/**
 * Sets a new password and ends all other sessions of the caller. Refuses with `WrongPassword`,
 * `Busy`, `TooManyRequests`, and with `InvalidInput` if the new password equals the current one.
 */
export async function changeOperatorPassword(
  services: Services,
  input: { currentPassword: string; password: string },
  operator: Operator,
  client: Client,
): Promise<void> {
  const own = await requireOwn(services, operator)
  const { row, sessionId } = own
  await requirePassword(services, row, input.currentPassword, operator)
  const isSame = await services.passwords.verify(row.password_hash, input.password, operator)
  if (isSame) throw samePassword()
  const passwordHash = await services.passwords.hash(input.password, operator)
  await change(services, own, client, async (transaction, note) => {
    await updateOperator(transaction, row.id, { password_hash: passwordHash })
    await endOperatorSessions(transaction, row.id, services.clock.now(), sessionId)
    await note('password_changed')
    await mailFactor(services, transaction, row, 'operator_factor_added', 'a new password')
  })
}

/** What a browser makes another passkey from. */
export async function getPasskeyCreation(
  services: Services,
  password: string,
  operator: Operator,
): Promise<PasskeyOptions['creation']> {
  const { row, sessionId } = await requireOwn(services, operator)
  await requirePassword(services, row, password, operator)
  const challenge = await makeChallenge(services, { purpose: 'add', boundTo: sessionId })
  const known = (await listPasskeys(services.database, row.id)).map((passkey) => ({
    credentialId: passkey.credential_id,
    transports: passkey.transports as readonly PasskeyTransport[],
  }))
  return services.passkeys.creation({ challenge, operator: row, known })
}

/**
 * Adds a passkey made from what {@link getPasskeyCreation} gave to the same session, which shows
 * that the password was given.
 */
export async function addPasskey(
  services: Services,
  { answer, name }: { answer: PasskeyAnswer; name: string },
  operator: Operator,
  client: Client,
): Promise<OwnAccount> {
  const own = await requireOwn(services, operator)
  const { row, sessionId } = own
  const taking = takingChallenge(services, { purpose: 'add', boundTo: sessionId })
  const stored = await services.passkeys.verifyNew(answer, taking)
  if (stored === null) {
    const event = { operatorId: row.id, kind: 'passkey_refused' } as const
    await noteSecurityEvent(services, services.database, event, client)
    throw new Refusal('PasskeyRefused')
  }
  await change(services, own, client, async (transaction, note) => {
    const made = { id: services.random.id(), created_at: services.clock.now() }
    const owned = { ...made, operator_id: row.id, name }
    if (!(await insertPasskey(transaction, stored, owned))) throw new Refusal('PasskeyRefused')
    await note('passkey_added', { name })
    await mailFactor(services, transaction, row, 'operator_factor_added', passkeyInWords(name))
  })
  return await getAccount(services, operator)
}

/** Refuses with `NotFound`, `WrongPassword`, `Busy`, and with `LastFactor` if it is the last. */
export async function removePasskey(
  services: Services,
  { id, password }: { id: string; password: string },
  operator: Operator,
  client: Client,
): Promise<OwnAccount> {
  const own = await requireOwn(services, operator)
  const { row } = own
  if (!isId(id)) throw new Refusal('NotFound')
  await requirePassword(services, row, password, operator)
  await change(services, own, client, async (transaction, note) => {
    const name = await deletePasskey(transaction, { id, operatorId: row.id })
    if (name === null) throw new Refusal('NotFound')
    await requireFactorLeft(transaction, row.id)
    await note('passkey_removed', { name })
    await mailFactor(services, transaction, row, 'operator_factor_removed', passkeyInWords(name))
  })
  return await getAccount(services, operator)
}

/** Makes a secret for an authenticator app, replacing one that no code has proved. */
export async function startAuthenticator(
  services: Services,
  password: string,
  operator: Operator,
): Promise<{ secret: string; uri: string }> {
  const { row } = await requireOwn(services, operator)
  await requirePassword(services, row, password, operator)
  const issuer = `${services.sale.project.name} console`
  return await startApp(services, { userId: row.id, email: row.email, issuer })
}

/** Turns the app on with a code from it. */
export async function confirmAuthenticator(
  services: Services,
  code: string,
  operator: Operator,
  client: Client,
): Promise<OwnAccount> {
  const own = await requireOwn(services, operator)
  const { row } = own
  const { app, step } = await proveApp(services, row.id, code)
  await change(services, own, client, async (transaction, note) => {
    const isOn = await confirmTwoFactorRow(transaction, app, step, services.clock.now())
    if (!isOn) throw new Refusal('WrongCode')
    await note('authenticator_on')
    await mailFactor(services, transaction, row, 'operator_factor_added', APP)
  })
  await restoreCodeTry(services, row.id)
  return await getAccount(services, operator)
}

export async function removeAuthenticator(
  services: Services,
  password: string,
  operator: Operator,
  client: Client,
): Promise<OwnAccount> {
  const own = await requireOwn(services, operator)
  const { row } = own
  await requirePassword(services, row, password, operator)
  await change(services, own, client, async (transaction, note) => {
    const wasOn = await deleteAuthenticator(transaction, row.id)
    if (!wasOn) throw new Refusal('TwoFactorNotOn')
    await requireFactorLeft(transaction, row.id)
    await note('authenticator_off')
    await mailFactor(services, transaction, row, 'operator_factor_removed', APP)
  })
  return await getAccount(services, operator)
}

/** Replaces the recovery codes with ten new ones. */
export async function renewOperatorCodes(
  services: Services,
  password: string,
  operator: Operator,
  client: Client,
): Promise<string[]> {
  const own = await requireOwn(services, operator)
  const { row } = own
  await requirePassword(services, row, password, operator)
  return await change(services, own, client, async (transaction, note) => {
    await note('recovery_codes_renewed')
    await mailFactor(services, transaction, row, 'operator_factor_added', 'ten new recovery codes')
    return await renewCodes(services, transaction, row.id)
  })
}

type Note = (kind: SecurityEventKind, details?: Record<string, string>) => Promise<void>

/**
 * Makes a change under the person's lock: one after the other, and neither for a removed person nor
 * in a session that has ended.
 */
async function change<Result>(
  services: Services,
  { row: { id, password_hash: provedBy }, sessionId }: OwnOperator,
  client: Client,
  make: (transaction: DatabaseTransaction, note: Note) => Promise<Result>,
): Promise<Result> {
  return await services.database.transaction().execute(async (transaction) => {
    const current = await lockOperator(transaction, id)
    // The factors may have been reset meanwhile, which ends every session, or the password changed.
    const session = await findOperatorSession(transaction, sessionId)
    const isProved = current?.password_hash === provedBy && session?.ended_at === null
    if (!isProved) throw new Refusal('Unauthenticated')
    const note: Note = (kind, details) =>
      noteSecurityEvent(
        services,
        transaction,
        { operatorId: id, kind, ...(details && { details }) },
        client,
      )
    return await make(transaction, note)
  })
}

/** Recovery codes are for emergencies and do not count as a factor. */
async function requireFactorLeft(transaction: DatabaseTransaction, operatorId: string) {
  if ((await countFactors(transaction, operatorId)) === 0) throw new Refusal('LastFactor')
}

async function mailFactor(
  { clock }: Services,
  transaction: DatabaseTransaction,
  { email }: OperatorRow,
  kind: 'operator_factor_added' | 'operator_factor_removed',
  factor: string,
): Promise<void> {
  const at = clock.now()
  await enqueueOperatorMail(transaction, { recipient: email, kind, params: { factor }, at })
}
