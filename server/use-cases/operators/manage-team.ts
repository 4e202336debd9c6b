import { normalizeEmail } from '#domain/accounts/account.ts'
import { approvesMore, type Role } from '#domain/operators/permissions.ts'
import { Refusal } from '#domain/refusal.ts'
import { enqueueOperatorMail } from '#server/database/books/outbox.ts'
import { endKeysOf } from '#server/database/connections/api-keys.ts'
import { deleteFactors } from '#server/database/operators/factors.ts'
import {
  insertInvitation,
  listOpenInvitations,
  withdrawInvitation as withdrawInvitationRow,
  withdrawInvitations,
} from '#server/database/operators/invitations.ts'
import { endOperatorSessions } from '#server/database/operators/operator-sessions.ts'
import {
  countOwners,
  findOperatorByEmail,
  findOperatorById,
  listOperators as listOperatorRows,
  lockOperator,
  lockRoles,
  type OperatorRow,
  updateOperator,
} from '#server/database/operators/operators.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { type Operator, requireOpenSession } from '#server/use-cases/access/operator.ts'
import { hashToken, linkTokenOf } from '#server/use-cases/access/session-tokens.ts'
import { mailOwnersOfAccess } from '#server/use-cases/audit/mail-owners.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { noteSecurityEvent } from './note-security-event.ts'

const INVITATION_TTL_MS = 24 * 60 * 60_000

export async function listOperators({ database }: Services) {
  return await listOperatorRows(database)
}

/** Links that were neither used nor withdrawn, and whether each follows a reset. */
export async function listInvitations({ clock, database }: Services) {
  const rows = await listOpenInvitations(database, clock.now())
  const known = new Set((await listOperatorRows(database)).map(({ id }) => id))
  return rows.map((row) => ({ ...row, isReset: known.has(row.operator_id) }))
}

/**
 * Invites somebody with a link that works once and replaces an earlier one to the same address, and
 * mails it.
 */
export async function inviteOperator(
  services: Services,
  input: { email: string; role: Role },
  caller: Operator,
) {
  const email = normalizeEmail(input.email)
  return await changeTeam(services, caller, async (transaction) => {
    if ((await findOperatorByEmail(transaction, email)) !== null) {
      throw new Refusal('EmailTaken', {
        message: 'Somebody with this email is already an operator',
      })
    }
    const person = { id: services.random.id(), email, role: input.role }
    const link = await makeLink(services, transaction, person, caller)
    const details = { email, role: input.role, invitation: link.id }
    await recordAction(services, transaction, caller, { act: 'inviteOperator', details })
    return link
  })
}

/** Withdraws an invitation. Refuses with `NotFound` if none is open. */
export async function withdrawInvitation(services: Services, id: string, caller: Operator) {
  if (!isId(id)) throw new Refusal('NotFound')
  await changeTeam(services, caller, async (transaction) => {
    const withdrawn = await withdrawInvitationRow(transaction, id, services.clock.now())
    if (withdrawn === null) throw new Refusal('NotFound')
    const details = { email: withdrawn.email, invitation: id }
    await recordAction(services, transaction, caller, { act: 'withdrawInvitation', details })
  })
}

/** Changes somebody's role, from their next call on. */
export async function changeRole(
  services: Services,
  { id, role }: { id: string; role: Role },
  caller: Operator,
): Promise<void> {
  await changeTeam(services, caller, async (transaction) => {
    const person = await requireOther(transaction, id, caller)
    if (person.role === role) return
    if (person.role === 'owner') await requireOtherOwner(services, transaction, person)
    await updateOperator(transaction, person.id, { role })
    const details = { operator_id: person.id, from: person.role, to: role }
    await recordAction(services, transaction, caller, { act: 'changeRole', details })
    await noteFor(services, transaction, person, caller, 'role_changed', { to: role })
    if (approvesMore(role, person.role)) {
      const { name, email } = person
      await mailOwnersOfAccess(services, transaction, { to: role, id, name, email })
    }
  })
}

/** Removes somebody: their sessions, factors and open invitations end. */
export async function removeOperator(services: Services, id: string, caller: Operator) {
  const now = services.clock.now()
  await changeTeam(services, caller, async (transaction) => {
    const person = await requireOther(transaction, id, caller)
    if (person.role === 'owner') await requireOtherOwner(services, transaction, person)
    await updateOperator(transaction, person.id, { removed_at: now })
    await withdrawInvitations(transaction, 'email', person.email, now)
    await endAccess(transaction, person, now)
    const details = { operator_id: person.id, role: person.role }
    await recordAction(services, transaction, caller, { act: 'removeOperator', details })
    await noteFor(services, transaction, person, caller, 'removed')
  })
}

/**
 * Ends the sessions and factors of somebody who lost them, and makes a link with which they set a
 * new password and new factors. Whoever has found them may have made keys and links of their own,
 * so these end as well.
 */
export async function resetFactors(services: Services, id: string, caller: Operator) {
  return await changeTeam(services, caller, async (transaction) => {
    const person = await requireOther(transaction, id, caller)
    const now = services.clock.now()
    await endAccess(transaction, person, now)
    const keys = await endKeysOf(transaction, person.id, now)
    const withdrawn = await withdrawInvitations(transaction, 'invited_by', person.id, now)
    const link = await makeLink(services, transaction, person, caller)
    const ended = { keys_ended: String(keys), invitations_withdrawn: String(withdrawn) }
    const details = { operator_id: person.id, invitation: link.id, ...ended }
    await recordAction(services, transaction, caller, { act: 'resetFactors', details })
    await noteFor(services, transaction, person, caller, 'factors_reset')
    return link
  })
}

/**
 * Makes changes to the team one after the other. A person who was demoted, removed or reset while
 * waiting may no longer make one.
 */
async function changeTeam<Result>(
  { database }: Services,
  caller: Operator,
  make: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return await database.transaction().execute(async (transaction) => {
    await lockRoles(transaction)
    if (caller.kind === 'person' && caller.id !== null) {
      const current = await findOperatorById(transaction, caller.id)
      if (current === null) throw new Refusal('Unauthenticated')
      if (current.role !== caller.role) throw new Refusal('PermissionMissing')
      await requireOpenSession(transaction, caller)
    }
    return await make(transaction)
  })
}

/** Nobody decides what they may do themselves. */
async function requireOther(transaction: DatabaseTransaction, id: string, caller: Operator) {
  const person = isId(id) ? await lockOperator(transaction, id) : null
  if (person === null) throw new Refusal('NotFound', { message: 'There is no such operator' })
  if (person.id === caller.id) throw new Refusal('OwnAccount')
  return person
}

/** The table too refuses to lose its last owner; this explains it in a sentence. */
async function requireOtherOwner(
  { clock }: Services,
  transaction: DatabaseTransaction,
  { id }: OperatorRow,
): Promise<void> {
  if ((await countOwners(transaction)) === 1) throw new Refusal('LastOwner')
  // People whom they had invited now have to be invited by a remaining owner.
  await withdrawInvitations(transaction, 'invited_by', id, clock.now())
}

async function endAccess(transaction: DatabaseTransaction, { id }: OperatorRow, now: Date) {
  await deleteFactors(transaction, id)
  await endOperatorSessions(transaction, id, now)
}

/** The only time that a link is shown; only the hash of its token is stored. */
async function makeLink(
  { clock, mailSender, random, settings }: Services,
  transaction: DatabaseTransaction,
  { id: operatorId, email, role }: { id: string; email: string; role: Role },
  caller: Operator,
) {
  const id = random.id()
  const now = clock.now()
  const token = linkTokenOf(settings.secretKey, id)
  const expiresAt = new Date(now.getTime() + INVITATION_TTL_MS)
  await insertInvitation(transaction, {
    id,
    operator_id: operatorId,
    email,
    role,
    token_hash: hashToken(token),
    invited_by: caller.kind === 'person' ? caller.id : null,
    created_at: now,
    expires_at: expiresAt,
  })
  await enqueueOperatorMail(transaction, {
    recipient: email,
    kind: 'operator_invited',
    params: { invitation_id: id },
    uniqueKey: `operator_invited:${id}`,
    at: now,
  })
  // In the fragment, which browsers send to no server and no log.
  const link = `${settings.publicUrl}/operator/accept#${token}`
  return { id, email, role, link, isMailed: mailSender.isReal, expiresAt }
}

async function noteFor(
  services: Services,
  transaction: DatabaseTransaction,
  { id: operatorId }: OperatorRow,
  caller: Operator,
  kind: 'role_changed' | 'removed' | 'factors_reset',
  details: Record<string, string> = {},
): Promise<void> {
  const by = caller.name ?? 'the server’s token'
  const client = { address: caller.address, userAgent: '' }
  const event = { operatorId, kind, details: { ...details, by } }
  await noteSecurityEvent(services, transaction, event, client)
}
