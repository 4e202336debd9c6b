import { Refusal } from '#domain/refusal.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { deleteTwoFactor, findTwoFactor } from '#server/database/accounts/two-factor.ts'
import type { Services } from '#server/services.ts'
import { findUserByName, getUserState, type UserState } from './find-user.ts'
import { type Operator, recordAction } from './record-action.ts'

/**
 * Turns two-factor login off for somebody who has lost telephone and recovery codes, and tells that
 * person by mail. Refuses with `NotFound` and `TwoFactorNotOn`.
 */
export async function endTwoFactorByOperator(
  services: Services,
  name: string,
  operator: Operator,
): Promise<UserState> {
  const { id } = await findUserByName(services, name)
  await services.database.transaction().execute(async (transaction) => {
    const found = await findTwoFactor(transaction, id)
    if (found === null || found.confirmed_at === null) throw new Refusal('TwoFactorNotOn')
    await deleteTwoFactor(transaction, id)
    await enqueueMail(transaction, {
      userId: id,
      kind: 'two_factor_off',
      params: {},
      uniqueKey: null,
      at: services.clock.now(),
    })
    const action = { act: 'endUserTwoFactor', userId: id, details: {} }
    await recordAction(services, transaction, operator, action)
  })
  // Whoever has tried codes in vain is let in by the password alone from now on.
  await services.limits.clear('code_by_user', id)
  return await getUserState(services, id)
}
