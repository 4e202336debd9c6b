import { roles } from '#domain/operators/permissions.ts'
import { Refusal } from '#domain/refusal.ts'
import { countRecoveryCodes, findTwoFactor } from '#server/database/accounts/two-factor.ts'
import { hasOtherOperator } from '#server/database/operators/approvals.ts'
import { findOperatorInSession } from '#server/database/operators/operator-sessions.ts'
import { findOperatorById, type OperatorRow } from '#server/database/operators/operators.ts'
import { listPasskeys } from '#server/database/operators/passkeys.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'

/** The caller as a person, with the id of the session of the call. */
export type OwnOperator = { row: OperatorRow; sessionId: string }

/** Refuses the token and keys with `NotFound`, since they have no account. */
export async function requireOwn({ database }: Services, { id, sessionId }: Operator) {
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

export type OwnAccount = Awaited<ReturnType<typeof getAccount>>

export async function getAccount(services: Services, operator: Operator) {
  const { id, email, name } = (await requireOwn(services, operator)).row
  const { database } = services
  return {
    id,
    email,
    name,
    passkeys: await listPasskeys(database, id),
    authenticatorSince: (await findTwoFactor(database, id))?.confirmed_at ?? null,
    recoveryCodesLeft: await countRecoveryCodes(database, id),
  }
}
