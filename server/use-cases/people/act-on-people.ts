import type { ActName } from '#domain/operators/acts.ts'
import { normalizeEmail } from '#domain/accounts/account.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { endUserSessions } from '#server/database/accounts/sessions.ts'
import { deleteTwoFactor, findTwoFactor } from '#server/database/accounts/two-factor.ts'
import {
  findUser,
  findUserByEmail,
  lockUser,
  requireNewPassword,
  type UserRow,
} from '#server/database/accounts/users.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { eraseAccount } from '#server/use-cases/accounts/erase-user.ts'
import { collectExport, type ExportedUser } from '#server/use-cases/accounts/export-user.ts'
import { writeLinkMail } from '#server/use-cases/accounts/mail-link.ts'
import { countVerificationMail } from '#server/use-cases/accounts/verify-email.ts'
import { noteOpened } from '#server/use-cases/audit/note-opened.ts'
import { recordAction, recordReading } from '#server/use-cases/audit/record-action.ts'

/** A user as operators see them. */
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
 * Ends two-factor login for somebody who has lost their telephone and recovery codes, and informs
 * them by mail. Refuses with `NotFound` and `TwoFactorNotOn`.
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
  // Earlier wrong codes no longer count: from now on the password alone is enough.
  await services.limits.restore({ cleared: [{ rule: 'code_by_user', key: state.user.id }] })
  return state
}

/**
 * Blocks a user until they have chosen a different password, by a change or a reset. Refuses with
 * `NotFound`.
 */
export async function requirePasswordChange(
  services: Services,
  name: string,
  operator: Operator,
): Promise<UserState> {
  return await actOnUser(services, name, operator, 'requirePasswordChange', requireNewPassword)
}

/**
 * Mails a user another verification link. Refuses with `NotFound`, `EmailAlreadyVerified`, and
 * `TooManyRequests` as for the user's own request.
 */
export async function resendVerification(
  services: Services,
  name: string,
  operator: Operator,
): Promise<UserState> {
  const user = await findUserByName(services, name)
  if (user.is_email_verified) throw new Refusal('EmailAlreadyVerified')
  await countVerificationMail(services, user.id)
  return await actOnUser(services, user.id, operator, 'resendVerification', (transaction, id) =>
    writeLinkMail(services, transaction, id, 'verify_email'),
  )
}

/**
 * Erases a user as the user could: see `eraseAccount` for what stays. `email` is the user's own,
 * given again, so that nobody is erased by mistake. Refuses with `NotFound` and `InvalidInput`.
 */
export async function erasePerson(
  services: Services,
  { name, email }: { name: string; email: string },
  operator: Operator,
): Promise<void> {
  const user = await findUserByName(services, name)
  if (normalizeEmail(email) !== user.email) {
    throw wrongField('email', 'This is not the email address of this user. Nothing was erased')
  }
  await services.database.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, user.id))) throw erasedMeanwhile()
    await eraseAccount(services, transaction, user)
    const action = { act: 'erasePerson' as const, userId: user.id }
    await recordAction(services, transaction, operator, action)
  })
}

/** Everything stored about a user, as they would get it. Refuses with `NotFound`. */
export async function exportPerson(
  services: Services,
  name: string,
  operator: Operator,
): Promise<ExportedUser> {
  const user = await findUserByName(services, name)
  await noteOpened(services, operator, { userId: user.id })
  await recordReading(services, operator, { act: 'exportPerson', userId: user.id })
  return await collectExport(services, user)
}

/** Changes a user by e-mail address or id and records who did it, in one transaction. */
async function actOnUser(
  services: Services,
  name: string,
  operator: Operator,
  act: ActName,
  change: (transaction: DatabaseTransaction, userId: string) => Promise<void>,
): Promise<UserState> {
  const { id } = await findUserByName(services, name)
  await services.database.transaction().execute(async (transaction) => {
    await change(transaction, id)
    await recordAction(services, transaction, operator, { act, userId: id })
  })
  return await getUserState(services, id)
}

/** Refuses with `NotFound`, also if the user was erased. */
async function findUserByName({ database }: Services, name: string): Promise<UserRow> {
  const user = isId(name)
    ? await findUser(database, name)
    : await findUserByEmail(database, normalizeEmail(name))
  if (user === null) throw nobody()
  return user
}

const nobody = () =>
  new Refusal('NotFound', { message: 'There is no user with this email address or id' })

/** Refuses with `NotFound` if the user was erased meanwhile. */
async function getUserState({ database }: Services, userId: string): Promise<UserState> {
  const user = await findUser(database, userId)
  if (user === null) throw erasedMeanwhile()
  const twoFactor = await findTwoFactor(database, userId)
  return { user, hasTwoFactor: twoFactor !== null && twoFactor.confirmed_at !== null }
}

const erasedMeanwhile = () => new Refusal('NotFound', { message: 'This user has just been erased' })
