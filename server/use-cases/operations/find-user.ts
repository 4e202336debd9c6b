import { normalizeEmail } from '#domain/accounts/account.ts'
import { Refusal } from '#domain/refusal.ts'
import { findTwoFactor } from '#server/database/accounts/two-factor.ts'
import { findUser, findUserByEmail, type UserRow } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'

/** A user as an operator is shown it. */
export type UserState = { user: UserRow; hasTwoFactor: boolean }

/** Whom an operator means by an e-mail address or an id. Refuses with `NotFound`. */
export async function findUserByName({ database }: Services, name: string): Promise<UserRow> {
  const user = isId(name)
    ? await findUser(database, name)
    : await findUserByEmail(database, normalizeEmail(name))
  if (user === null) {
    throw new Refusal('NotFound', { message: 'There is no user with this email address or id' })
  }
  return user
}

/** The user as it stands now. Refuses with `NotFound` who was erased meanwhile. */
export async function getUserState({ database }: Services, userId: string): Promise<UserState> {
  const user = await findUser(database, userId)
  if (user === null) throw new Refusal('NotFound', { message: 'This user has just been erased' })
  const twoFactor = await findTwoFactor(database, userId)
  return { user, hasTwoFactor: twoFactor !== null && twoFactor.confirmed_at !== null }
}
