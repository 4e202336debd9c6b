import { endUserSessions } from '#server/database/accounts/sessions.ts'
import type { Services } from '#server/services.ts'
import { findUserByName, getUserState, type UserState } from './find-user.ts'
import { type Operator, recordAction } from './record-action.ts'

/** Ends every session of a user, at once. Refuses with `NotFound`. */
export async function endSessionsByOperator(
  services: Services,
  name: string,
  operator: Operator,
): Promise<UserState> {
  const { id } = await findUserByName(services, name)
  await services.database.transaction().execute(async (transaction) => {
    await endUserSessions(transaction, id, services.clock.now())
    const action = { act: 'endUserSessions', userId: id, details: {} }
    await recordAction(services, transaction, operator, action)
  })
  return await getUserState(services, id)
}
