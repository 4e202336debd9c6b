import { requireNewPassword } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import { findUserByName, getUserState, type UserState } from './find-user.ts'
import { type Operator, recordAction } from './record-action.ts'

/**
 * Keeps a user from going on until the password is another one, by a change or a reset. Refuses
 * with `NotFound`.
 */
export async function requirePasswordChange(
  services: Services,
  name: string,
  operator: Operator,
): Promise<UserState> {
  const { id } = await findUserByName(services, name)
  await services.database.transaction().execute(async (transaction) => {
    await requireNewPassword(transaction, id)
    const action = { act: 'requirePasswordChange', userId: id, details: {} }
    await recordAction(services, transaction, operator, action)
  })
  return await getUserState(services, id)
}
