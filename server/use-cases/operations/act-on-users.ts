import { normalizeEmail } from '#domain/accounts/account.ts'
import { Refusal } from '#domain/refusal.ts'
import { endUserSessions } from '#server/database/accounts/sessions.ts'
import { deleteTwoFactor, findTwoFactor } from '#server/database/accounts/two-factor.ts'
import {
  findUser,
  findUserByEmail,
  requireNewPassword,
  type UserRow,
} from '#server/database/accounts/users.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { type Operator, recordAction } from './operator-actions.ts'

/** A user as an operator is shown it. */
export type UserState = { user: UserRow; hasTwoFactor: boolean }

/** Ends every session of a user, at once. Refuses with `NotFound`. */
export async function endSessionsByOperator(
  services: Services,
  name: string,
  operator: Operator,
): Promise<UserState> {
  return await actOnUser(services, name, operator, 'endUserSessions', (transaction, id) =>
    endUserSessions(transaction, id, services.clock.now()),
  )
}

/**
 * Ends two-factor login for somebody who has lost telephone and recovery codes, and notifies that
 * person by mail. Refuses with `NotFound` and `TwoFactorNotOn`.
 */
export async function endTwoFactorByOperator(
  services: Services,
  name: string,
  operator: Operator,
): Promise<UserState> {
  const state = await actOnUser(
    services,
    name,
    operator,
    'endUserTwoFactor',
    async (transaction, id) => {
      const found = await findTwoFactor(transaction, id)
      if (found === null || found.confirmed_at === null) throw new Refusal('TwoFactorNotOn')
      await deleteTwoFactor(transaction, id)
      await enqueueMail(transaction, {
        userId: id,
        kind: 'two_factor_off',
        at: services.clock.now(),
      })
    },
  )
  // Wrong codes no longer count: the password alone is enough from now on.
  await services.limits.clear('code_by_user', state.user.id)
  return state
}

/**
 * Keeps a user from going on until the password is another one, by a change or a reset. Refuses
 * with `NotFound`.
 */
export async function requirePasswordChange(
  services: Services,
  name: string,
  operator: Operator,
): Promise<UserState> {
  return await actOnUser(services, name, operator, 'requirePasswordChange', requireNewPassword)
}

/** Changes a user by e-mail address or id and records who did it, in one transaction. */
async function actOnUser(
  services: Services,
  name: string,
  operator: Operator,
  act: string,
  change: (transaction: DatabaseTransaction, userId: string) => Promise<void>,
): Promise<UserState> {
  const { id } = await findUserByName(services, name)
  await services.database.transaction().execute(async (transaction) => {
    await change(transaction, id)
    await recordAction(services, transaction, operator, { act, userId: id, details: {} })
  })
  return await getUserState(services, id)
}

async function findUserByName({ database }: Services, name: string): Promise<UserRow> {
  const user = isId(name)
    ? await findUser(database, name)
    : await findUserByEmail(database, normalizeEmail(name))
  if (user === null) {
    throw new Refusal('NotFound', { message: 'There is no user with this email address or id' })
  }
  return user
}

/** Refuses with `NotFound` where the user was erased meanwhile. */
async function getUserState({ database }: Services, userId: string): Promise<UserState> {
  const user = await findUser(database, userId)
  if (user === null) throw new Refusal('NotFound', { message: 'This user has just been erased' })
  const twoFactor = await findTwoFactor(database, userId)
  return { user, hasTwoFactor: twoFactor !== null && twoFactor.confirmed_at !== null }
}
