import { roles } from '#domain/operators/permissions.ts'
import { Refusal } from '#domain/refusal.ts'
import { hasOtherOperator } from '#server/database/operators/approvals.ts'
import { findOperatorInSession } from '#server/database/operators/operator-sessions.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'

/** Who is signed in. Refuses the token and keys with `NotFound`, since they have no account. */
export async function getSelf({ database }: Services, { sessionId }: Operator) {
  const found = sessionId === null ? null : await findOperatorInSession(database, sessionId)
  if (found === null) throw new Refusal('NotFound', { message: 'Only people have an account' })
  const isAlone = !(await hasOtherOperator(database, found.id))
  return { ...found, isAlone, permissions: roles[found.role] }
}
