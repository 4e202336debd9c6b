import { normalizeEmail } from '#domain/accounts/account.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import {
  findPerson,
  listReferred,
  type PersonRow,
  searchPeople as searchRows,
} from '#server/database/accounts/people.ts'
import { endUserSessions, listUserSessions } from '#server/database/accounts/sessions.ts'
import {
  countReferredUsers,
  findUser,
  findUserByEmail,
  lockUser,
  requireNewPassword,
  type UserRow,
} from '#server/database/accounts/users.ts'
import { listActionsAbout } from '#server/database/books/operator-actions.ts'
import { sumBought } from '#server/database/purchases/purchase-records.ts'
import { sumRewards } from '#server/database/purchases/rewards.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { getTwoFactor } from '#server/use-cases/access/two-factor.ts'
import { noteOpened } from '#server/use-cases/audit/note-opened.ts'
import type { ActName } from '#domain/operators/acts.ts'
import { deleteTwoFactor, findTwoFactor } from '#server/database/accounts/two-factor.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import { eraseAccount } from '#server/use-cases/accounts/erase-user.ts'
import { collectExport } from '#server/use-cases/accounts/export-user.ts'
import { writeLinkMail } from '#server/use-cases/accounts/mail-link.ts'
import { countVerificationMail } from '#server/use-cases/accounts/verify-email.ts'
import { recordAction, recordReading } from '#server/use-cases/audit/record-action.ts'

/** More than anybody reads; their number is counted separately. */
const REFERRED_MAX = 50

/** A buyer, with what was recorded about them apart from their purchases. */
export type PersonRecord = Awaited<ReturnType<typeof getPerson>>

/**
 * One user, named by email address or id, even an erased one. The look-up is logged and limited.
 */
export async function getPerson(services: Services, name: string, operator: Operator) {
  const { database, clock } = services
  const person = await findByName(services, name)
  const { id } = person
  await noteOpened(services, operator, { userId: id })
  const sessions = await listUserSessions(database, id, clock.now())
  return {
    person,
    twoFactor: await getTwoFactor(services, { userId: id }),
    bought: await sumBought(database, id),
    earned: await sumRewards(database, id),
    referrer: person.referrer_id === null ? null : await findPerson(database, person.referrer_id),
    referredCount: await countReferredUsers(database, id),
    referred: await listReferred(database, id, REFERRED_MAX),
    sessions: sessions.map((session) => ({ ...session, device: deviceName(session.user_agent) })),
    actions: await listActionsAbout(database, 'user_id', id),
  }
}

async function findByName({ database }: Services, name: string): Promise<PersonRow> {
  const email = normalizeEmail(name)
  const [person] = isId(name)
    ? [await findPerson(database, name)]
    : await searchRows(database, { email, id: null }, null, 1)
  if (person !== null && person !== undefined) return person
  throw nobody()
}

export type PeoplePage = { items: readonly PersonRow[]; after: string | null }

/**
 * Everybody who has an account, newest first, or the user with an email address or id; `after` is
 * the id of the first of the next page. Refuses with `InvalidInput` for an unknown cursor.
 */
export async function searchPeople(
  { database }: Services,
  { q, after, limit }: { q?: string | undefined; after: string | null; limit: number },
): Promise<PeoplePage> {
  const start = after === null ? null : await findPerson(database, after)
  if (after !== null && start === null) throw wrongField('after', 'Must be the id of a user')
  const rows = await searchRows(
    database,
    readName(q),
    start === null ? null : { createdAt: start.created_at, id: start.id },
    limit + 1,
  )
  return { items: rows.slice(0, limit), after: rows[limit]?.id ?? null }
}

function readName(q: string | undefined): { email: string | null; id: string | null } {
  const text = normalizeEmail(q ?? '')
  if (text === '') return { email: null, id: null }
  if (isId(text)) return { email: null, id: text }
  if (text.includes('@')) return { email: text, id: null }
  throw wrongField('q', 'Give a whole email address, or the id of a user')
}

export type UserState = { user: UserRow; hasTwoFactor: boolean }

/** Ends every session of a user, at once. */
export async function endSessionsByOperator(services: Services, name: string, operator: Operator) {
  return await actOnUser(services, name, operator, 'endUserSessions', (transaction, id) =>
    endUserSessions(transaction, id, services.clock.now()),
  )
}

/**
 * Ends two-factor login for somebody who has lost their telephone and recovery codes, and informs
 * them by mail.
 */
export async function endTwoFactorByOperator(services: Services, name: string, operator: Operator) {
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

/** Blocks a user until they have chosen a different password, by a change or a reset. */
export async function requirePasswordChange(services: Services, name: string, operator: Operator) {
  return await actOnUser(services, name, operator, 'requirePasswordChange', requireNewPassword)
}

/**
 * Mails a user another verification link. Refuses with `NotFound`, `EmailAlreadyVerified`, and
 * `TooManyRequests` as for the user's own request.
 */
export async function resendVerification(services: Services, name: string, operator: Operator) {
  const user = await findUserByName(services, name)
  if (user.is_email_verified) throw new Refusal('EmailAlreadyVerified')
  await countVerificationMail(services, user.email)
  return await actOnUser(services, user.id, operator, 'resendVerification', (transaction, id) =>
    writeLinkMail(services, transaction, id, 'verify_email'),
  )
}

/**
 * Erases a user as the user could: see `eraseAccount` for what stays. `email` is the user's own,
 * given again, so that nobody is erased by mistake.
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
    await eraseAccount(services, transaction, user, 'operator')
    const action = { act: 'erasePerson' as const, userId: user.id }
    await recordAction(services, transaction, operator, action)
  })
}

/**
 * Everything stored about a user, as they would get it. Refuses with `NotFound` if the user is
 * erased meanwhile.
 */
export async function exportPerson(services: Services, name: string, operator: Operator) {
  const user = await findUserByName(services, name)
  await noteOpened(services, operator, { userId: user.id })
  await recordReading(services, operator, { act: 'exportPerson', userId: user.id })
  const exported = await collectExport(services, user).catch((fault: unknown) => ({ fault }))
  await requireUser(services, user.id)
  if ('fault' in exported) throw exported.fault
  return exported
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
async function getUserState(services: Services, userId: string): Promise<UserState> {
  const user = await requireUser(services, userId)
  const twoFactor = await findTwoFactor(services.database, userId)
  return { user, hasTwoFactor: twoFactor !== null && twoFactor.confirmed_at !== null }
}

async function requireUser({ database }: Services, userId: string): Promise<UserRow> {
  const user = await findUser(database, userId)
  if (user === null) throw erasedMeanwhile()
  return user
}

const erasedMeanwhile = () => new Refusal('NotFound', { message: 'This user has just been erased' })
