import { findRow } from '#server/database/tables/rows.ts'
import type { Role } from '#domain/operators/permissions.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type InvitationRow = Row<'operator_invitations'>

export type NewInvitation = Omit<InvitationRow, 'sealed_secret' | 'accepted_at' | 'withdrawn_at'>

/** Makes a link, and withdraws an earlier one to the same address. */
export async function insertInvitation(
  transaction: DatabaseTransaction,
  invitation: NewInvitation,
): Promise<void> {
  await withdrawInvitations(transaction, 'email', invitation.email, invitation.created_at)
  await transaction
    .insertInto('operator_invitations')
    .values({ ...invitation, sealed_secret: null, accepted_at: null, withdrawn_at: null })
    .execute()
}

/**
 * Withdraws all open links to an address, or made by somebody whose links are not to be trusted any
 * more, and returns how many.
 */
export async function withdrawInvitations(
  transaction: DatabaseTransaction,
  column: 'email' | 'invited_by',
  value: string,
  now: Date,
): Promise<bigint> {
  const { numUpdatedRows } = await transaction
    .updateTable('operator_invitations')
    .set({ withdrawn_at: now, sealed_secret: null })
    .where(column, '=', value)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows
}

/** The link with this hash, whatever became of it. */
export async function findInvitation(database: Database, tokenHash: Uint8Array) {
  return await findRow(database, 'operator_invitations', { token_hash: tokenHash })
}

/** When a link stops working; null if it no longer works. */
export async function findInvitationEnd(
  database: Database,
  id: string,
  now: Date,
): Promise<{ role: Role; expiresAt: Date } | null> {
  const row = await openInvitations(database, now)
    .select(['role', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { role: row.role, expiresAt: row.expires_at }
}

/** Every link that still works, newest first, with the name of whoever made it. */
export async function listOpenInvitations(database: Database, now: Date) {
  return await openInvitations(database, now)
    .leftJoin('operators', 'operators.id', 'operator_invitations.invited_by')
    .select([
      'operator_invitations.id',
      'operator_invitations.operator_id',
      'operator_invitations.email',
      'operator_invitations.role',
      'operator_invitations.created_at',
      'operator_invitations.expires_at',
      'operators.name as invited_by_name',
    ])
    .orderBy('operator_invitations.created_at', 'desc')
    .execute()
}

/** Stores the secret of the authenticator app that is being set up, if the link still works. */
export async function keepInvitationSecret(
  database: Database,
  id: string,
  sealedSecret: Uint8Array,
): Promise<void> {
  await database
    .updateTable('operator_invitations')
    .set({ sealed_secret: sealedSecret })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute()
}

/** Uses a link up; false if it was used or taken back meanwhile. */
export async function acceptInvitation(
  transaction: DatabaseTransaction,
  id: string,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('operator_invitations')
    .set({ accepted_at: now, sealed_secret: null })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a link back; null if there is none that still works. */
export async function withdrawInvitation(
  transaction: DatabaseTransaction,
  id: string,
  now: Date,
): Promise<{ email: string } | null> {
  const row = await transaction
    .updateTable('operator_invitations')
    .set({ withdrawn_at: now, sealed_secret: null })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst()
  return row ?? null
}

/** Deletes links that stopped working long ago, used or not. */
export async function deleteExpiredInvitations(database: Database, before: Date): Promise<void> {
  await database.deleteFrom('operator_invitations').where('expires_at', '<', before).execute()
}

function openInvitations(database: Database, now: Date) {
  return database
    .selectFrom('operator_invitations')
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
}
