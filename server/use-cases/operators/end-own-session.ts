import { endOperatorSession } from '#server/database/operators/operator-sessions.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'

/** Ends the caller's session. Safe to repeat. */
export async function endOwnSession(
  { database, clock }: Services,
  { id: operatorId, sessionId: id }: Operator,
) {
  if (id === null || operatorId === null) return
  await endOperatorSession(database, { id, operatorId, now: clock.now() })
}
