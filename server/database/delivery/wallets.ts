import { sql } from 'kysely'

import { isLockTaken } from '#server/database/connection/lock-taken.ts'
import { findRow } from '#server/database/tables/rows.ts'
import type {
  Database,
  DatabaseTransaction,
  InsertedRow,
  Row,
} from '#server/database/tables/tables.ts'

export type WalletRow = Row<'receiving_wallets'>
export type ChallengeRow = Row<'wallet_challenges'>

export type WalletsOf = {
  /** Where the tokens go; null if the user has not said. */
  current: WalletRow | null
  /** The change that can still be cancelled. */
  waiting: WalletRow | null
}

/** A user's receiving wallet, and the one that is to replace it. */
export async function findWallets(
  database: Database,
  userId: string,
  now: Date,
): Promise<WalletsOf> {
  const rows = await database
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('cancelled_at', 'is', null)
    .orderBy('effective_at', 'desc')
    .limit(2)
    .execute()
  const [newest, before = null] = rows
  if (newest === undefined) return { current: null, waiting: null }
  return isWaiting(newest, now)
    ? { current: before, waiting: newest }
    : { current: newest, waiting: null }
}

/** A wallet set without waiting is in effect, even if the clock has not moved since. */
export function isWaiting({ set_at: setAt, effective_at: effectiveAt }: WalletRow, now: Date) {
  return effectiveAt > now && effectiveAt > setAt
}

/** Every receiving wallet that a user ever set or asked for, newest first. */
export async function listWalletRecords(database: Database, userId: string): Promise<WalletRow[]> {
  return await database
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('set_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function findWallet(database: Database, id: string) {
  return await findRow(database, 'receiving_wallets', { id })
}

/** Call it with the user locked. */
export async function insertWallet(
  transaction: DatabaseTransaction,
  wallet: InsertedRow<'receiving_wallets'>,
): Promise<void> {
  await transaction.insertInto('receiving_wallets').values(wallet).execute()
}

/** Cancels the change of a user that waits; null if none does. */
export async function cancelWaiting(
  transaction: DatabaseTransaction,
  userId: string,
  now: Date,
): Promise<WalletRow | null> {
  const row = await transaction
    .updateTable('receiving_wallets')
    .set({ cancelled_at: now })
    .where('user_id', '=', userId)
    .where('cancelled_at', 'is', null)
    .where('effective_at', '>', now)
    .whereRef('effective_at', '>', 'set_at')
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Whether another account has an address as its receiving wallet, now or soon, in any case of
 * letters.
 */
export async function isShared(
  database: Database,
  address: string,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql<{ is_shared: boolean }>`
    select exists (
      select from receiving_wallets as wallet
      where lower(address) = ${address.toLowerCase()} and user_id <> ${userId}
        and cancelled_at is null
        and not exists (
          select from receiving_wallets as later
          where later.user_id = wallet.user_id and later.cancelled_at is null
            and later.effective_at > wallet.effective_at
        )
    ) as is_shared`.execute(database)
  return rows[0]?.is_shared === true
}

/** Whether an address distributes tokens, as a contract or as a sender, in any case of letters. */
export async function isDistributor(database: Database, address: string): Promise<boolean> {
  const { rows } = await sql<{ is_one: boolean }>`
    select exists (
      select from distributions where lower(contract) = ${address.toLowerCase()}
    ) as is_one`.execute(database)
  return rows[0]?.is_one === true
}

/** Including erased users: their tokens are still theirs. */
export async function isUser(database: Database, userId: string): Promise<boolean> {
  return (await findRow(database, 'users', { id: userId })) !== null
}

/** Blocks all changes to a user's wallets until the transaction ends, even for erased users. */
export async function lockOwner(
  transaction: DatabaseTransaction,
  userId: string,
): Promise<boolean> {
  return (await findRow(transaction, 'users', { id: userId }, 'for no key update')) !== null
}

/**
 * Lets no snapshot be taken until the transaction ends. Take it after the user's lock. False while
 * one is written: that can take minutes, and whoever waited for it would hold a connection.
 */
export async function holdSnapshots(transaction: DatabaseTransaction): Promise<boolean> {
  try {
    await sql`lock table snapshots in share mode nowait`.execute(transaction)
    return true
  } catch (fault) {
    if (isLockTaken(fault)) return false
    throw fault
  }
}

/** Lets no wallet be set until the transaction ends, and waits for those that are being set. */
export async function holdWallets(transaction: DatabaseTransaction): Promise<void> {
  await sql`lock table snapshots in row exclusive mode`.execute(transaction)
}

/** Null before the first snapshot. `address`: the user's in the newest one, null without any. */
export async function findFrozen(
  database: Database,
  userId: string,
): Promise<{ address: string | null } | null> {
  const { rows } = await sql<{ address: string | null }>`
    select (
      select address from snapshot_owners
      where snapshot = newest.number and user_id = ${userId}
    ) as address
    from (select number from snapshots order by number desc limit 1) as newest`.execute(database)
  return rows[0] ?? null
}

/** Whether a snapshot, and not the owner, ended a change. */
export async function wasEndedByFreeze(
  database: Database,
  { cancelled_at: cancelledAt }: WalletRow,
): Promise<boolean> {
  if (cancelledAt === null) return false
  return (await findRow(database, 'snapshots', { taken_at: cancelledAt })) !== null
}

/**
 * Cancels the changes that take effect by then although the first mail about them was never sent.
 * Leaves those that somebody else is cancelling.
 */
export async function cancelUntoldChanges(
  transaction: DatabaseTransaction,
  now: Date,
  until: Date,
): Promise<WalletRow[]> {
  const untold = transaction
    .selectFrom('receiving_wallets as wallet')
    .select('wallet.id')
    .where('cancelled_at', 'is', null)
    .where('effective_at', '>', now)
    .where('effective_at', '<=', until)
    .whereRef('effective_at', '>', 'set_at')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('outbox_mails')
          .select('outbox_mails.id')
          .where('unique_key', '=', sql<string>`'wallet_change_waits:' || wallet.id`)
          .where('sent_at', 'is', null),
      ),
    )
    .forUpdate('wallet')
    .skipLocked()
  return await transaction
    .updateTable('receiving_wallets')
    .set({ cancelled_at: now })
    .where('id', 'in', untold)
    .returningAll()
    .execute()
}

/** Changes that take effect by then and have had no second mail. */
export async function listUnremindedChanges(
  database: Database,
  now: Date,
  until: Date,
  countMax: number,
): Promise<WalletRow[]> {
  return await database
    .selectFrom('receiving_wallets as wallet')
    .selectAll()
    .where('cancelled_at', 'is', null)
    .where('effective_at', '>', now)
    .where('effective_at', '<=', until)
    .whereRef('effective_at', '>', 'set_at')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox_mails')
            .select('outbox_mails.id')
            .where('unique_key', '=', sql<string>`'wallet_change_soon:' || wallet.id`),
        ),
      ),
    )
    .orderBy('effective_at')
    .limit(countMax)
    .execute()
}

export async function insertChallenge(
  database: Database,
  challenge: Omit<ChallengeRow, 'used_at'>,
): Promise<void> {
  await database.insertInto('wallet_challenges').values(challenge).execute()
}

/** One that was not used, of its user. */
export async function findChallenge(database: Database, nonce: string, userId: string) {
  return await findRow(database, 'wallet_challenges', { nonce, user_id: userId, used_at: null })
}

/** Uses a challenge up; false if it was used or has run out in the meantime. */
export async function takeChallenge(
  transaction: DatabaseTransaction,
  nonce: string,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('wallet_challenges')
    .set({ used_at: now })
    .where('nonce', '=', nonce)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}
