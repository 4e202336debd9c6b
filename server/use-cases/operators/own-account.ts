import { roles } from '#domain/operators/permissions.ts'
import { Refusal } from '#domain/refusal.ts'
import { enqueueOperatorMail } from '#server/database/books/outbox.ts'
import { countRecoveryCodes, findTwoFactor } from '#server/database/accounts/two-factor.ts'
import { hasOtherOperator } from '#server/database/operators/approvals.ts'
import {
  endOperatorSessions,
  findOperatorInSession,
} from '#server/database/operators/operator-sessions.ts'
import {
  findOperatorById,
  lockOperator,
  type OperatorRow,
  updateOperator,
} from '#server/database/operators/operators.ts'
import { listPasskeys, type PasskeyRow } from '#server/database/operators/passkeys.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { requirePassword, samePassword } from '#server/use-cases/access/user-account.ts'
import { noteSecurityEvent } from './note-security-event.ts'

/** The caller as a person, with the id of the session of the call. */
export type OwnOperator = { row: OperatorRow; sessionId: string }

/** Refuses the token and keys with `NotFound`, since they have no account. */
export async function requireOwn(
  { database }: Pick<Services, 'database'>,
  { id, sessionId }: Operator,
): Promise<OwnOperator> {
  const row = id === null || sessionId === null ? null : await findOperatorById(database, id)
  if (row === null || sessionId === null) {
    throw new Refusal('NotFound', { message: 'Only people have an account' })
  }
  return { row, sessionId }
}

/** Who is signed in. Refuses the token and keys with `NotFound`, since they have no account. */
export async function getSelf({ database }: Services, { sessionId }: Operator) {
  const found = sessionId === null ? null : await findOperatorInSession(database, sessionId)
  if (found === null) throw new Refusal('NotFound', { message: 'Only people have an account' })
  const isAlone = !(await hasOtherOperator(database, found.id))
  return { ...found, isAlone, permissions: roles[found.role] }
}

export type OwnAccount = {
  id: string
  email: string
  name: string
  passkeys: PasskeyRow[]
  authenticatorSince: Date | null
  recoveryCodesLeft: number
}

export async function getAccount(services: Services, operator: Operator): Promise<OwnAccount> {
  const { row } = await requireOwn(services, operator)
  const { database } = services
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passkeys: await listPasskeys(database, row.id),
    authenticatorSince: (await findTwoFactor(database, row.id))?.confirmed_at ?? null,
    recoveryCodesLeft: await countRecoveryCodes(database, row.id),
  }
}

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
  const { row, sessionId } = await requireOwn(services, operator)
  await requirePassword(services, row, input.currentPassword)
  const isSame = await services.passwords.verify(row.password_hash, input.password)
  if (isSame) throw samePassword()
  const passwordHash = await services.passwords.hash(input.password)
  await services.database.transaction().execute(async (transaction) => {
    const current = await lockOperator(transaction, row.id)
    // An invitation may have set it anew meanwhile: this change would undo that, perhaps for a
    // thief.
    if (current?.password_hash !== row.password_hash) throw new Refusal('WrongPassword')
    await updateOperator(transaction, row.id, { password_hash: passwordHash })
    await endOperatorSessions(transaction, row.id, services.clock.now(), sessionId)
    const event = { operatorId: row.id, kind: 'password_changed' } as const
    await noteSecurityEvent(services, transaction, event, client)
    await enqueueOperatorMail(transaction, {
      recipient: row.email,
      kind: 'operator_factor_added',
      params: { factor: 'a new password' },
      at: services.clock.now(),
    })
  })
}
