import { findRow } from '#server/database/tables/rows.ts'
import { pageLanguages } from '#domain/language.ts'
import type {
  Database,
  DatabaseTransaction,
  NamedStatements,
  Row,
} from '#server/database/tables/tables.ts'

export type UserRow = Row<'users'>

export type NewUser = Omit<UserRow, 'is_email_verified' | 'requires_password_change' | 'erased_at'>

/** Null if the address already has an account. */
export async function insertUser(
  transaction: DatabaseTransaction,
  user: NewUser,
): Promise<UserRow | null> {
  const row = await transaction
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** `email` in its normalised form. */
export async function findUserByEmail(database: Database, email: string) {
  return await findRow(database, 'users', { email, erased_at: null })
}

/** `user` is null if the address has no account. */
export type UserForLogin = {
  user: UserRow | null
  /** Whether the user has logged in from this network since `since`. */
  isKnown: boolean
  hasTwoFactor: boolean
}

/**
 * What a login begins with, in one statement, which does the same look-ups if there is no account,
 * so that it takes equally long.
 */
export async function findUserForLogin(
  statements: NamedStatements,
  email: string,
  networkHash: Uint8Array,
  since: Date,
): Promise<UserForLogin> {
  const [row] = await statements.runNamed<
    (UserRow | { id: null }) & { is_known: boolean; is_on: boolean }
  >('user_for_login', USER_FOR_LOGIN, [email, networkHash, since, NOBODY])
  if (row === undefined) return { user: null, isKnown: false, hasTwoFactor: false }
  const { is_known: isKnown, is_on: hasTwoFactor, ...user } = row
  return { user: user.id === null ? null : user, isKnown, hasTwoFactor }
}

/** Looked up if there is no account. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

const USER_FOR_LOGIN = `
  select
    users.*,
    exists (
      select from login_places
      where user_id = asked.user_id and network_hash = $2 and last_used_at > $3
    ) as is_known,
    exists (
      select from two_factors where account_id = asked.user_id and confirmed_at is not null
    ) as is_on
  from (select coalesce(
    (select id from users where email = $1 and erased_at is null), $4::uuid
  ) as user_id offset 0) as asked
  left join users on users.id = asked.user_id`

/** Null if there is no such user, or the account was erased. */
export async function findUser(database: Database, userId: string) {
  return await findRow(database, 'users', { id: userId, erased_at: null })
}

/**
 * Keeps a user as they are until the transaction ends. False if the password has changed, or the
 * user was erased.
 */
export async function holdUser(
  transaction: DatabaseTransaction,
  userId: string,
  passwordHash: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .where('erased_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Blocks everything that could change a user's logins until the transaction ends. Take this lock
 * before any row that belongs to the user, so that no two transactions deadlock. False if there is
 * no longer such a user.
 */
export async function lockUser(transaction: DatabaseTransaction, userId: string): Promise<boolean> {
  // Rows that only refer to the user, such as purchases, need not wait.
  const row = await findRow(
    transaction,
    'users',
    { id: userId, erased_at: null },
    'for no key update',
  )
  return row !== null
}

/** Has an erasure wait for the transaction, which is to write rows that refer to the user. */
export async function delayErasure(
  transaction: DatabaseTransaction,
  userId: string,
): Promise<void> {
  await findRow(transaction, 'users', { id: userId }, 'for key share')
}

export async function doesEmailExist(database: Database, email: string): Promise<boolean> {
  return (await findRow(database, 'users', { email })) !== null
}

type ChangedField = 'first_name' | 'last_name' | 'nationality' | 'mobile' | 'language'
export type UserChanges = { [field in ChangedField]?: UserRow[field] | undefined }

export async function updateUserFields(
  database: Database,
  userId: string,
  changes: UserChanges,
): Promise<UserRow | null> {
  const isEmpty = Object.values(changes).every((value) => value === undefined)
  if (isEmpty) return findUser(database, userId)
  const row = await database
    .updateTable('users')
    .set(changes)
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Sets a password that the user chose, which satisfies a required change. False if the user was
 * erased, or if `provedHash` is given and no longer the password's.
 */
export async function updatePassword(
  transaction: DatabaseTransaction,
  userId: string,
  passwordHash: string,
  provedHash?: string,
): Promise<boolean> {
  let update = transaction
    .updateTable('users')
    .set({ password_hash: passwordHash, requires_password_change: false })
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
  if (provedHash !== undefined) update = update.where('password_hash', '=', provedHash)
  return (await update.returning('id').executeTakeFirst()) !== undefined
}

/** Requires another password; a change or a reset satisfies that. */
export async function requireNewPassword(
  transaction: DatabaseTransaction,
  userId: string,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ requires_password_change: true })
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .execute()
}

export async function markEmailVerified(
  transaction: DatabaseTransaction,
  userId: string,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ is_email_verified: true })
    .where('id', '=', userId)
    .execute()
}

/** How many users a referrer has brought, including erased ones. */
export async function countReferredUsers(database: Database, referrerId: string): Promise<number> {
  const row = await database
    .selectFrom('users')
    .select((select) => select.fn.countAll().as('count'))
    .where('referrer_id', '=', referrerId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * Replaces personal data with placeholders. The row stays, because the ledger refers to it. Call
 * this last in an erasure: its lock blocks even rows that only refer to the user.
 */
export async function eraseUserFields(
  transaction: DatabaseTransaction,
  userId: string,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      // With a colon, it is no address that somebody could have registered before.
      email: `erased:${userId}@erased.invalid`,
      password_hash: '',
      first_name: 'Erased',
      last_name: 'user',
      nationality: 'ZZ',
      mobile: null,
      language: pageLanguages[0],
      is_email_verified: false,
      requires_password_change: false,
      erased_at: now,
    })
    .where('id', '=', userId)
    .execute()
}
