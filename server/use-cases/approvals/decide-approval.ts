import type { ActName } from '#domain/operators/acts.ts'
import { invariant } from '#domain/invariant.ts'
import { Refusal, type RefusalReason } from '#domain/refusal.ts'
import {
  type ApprovalRow,
  decideApproval,
  listExpired,
  lockApproval,
  mayStillBeDone,
} from '#server/database/operators/approvals.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { missingPermission, type Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { getApproval } from './list-approvals.ts'
import { expireApproval, settleAfter } from './require-approval.ts'
import { userOfAct } from './user-of-act.ts'
import { isSameHash } from '#server/use-cases/audit/audit-chain.ts'

/**
 * Approves what another person asked for, if it is what the approver saw: `hash` is in hexadecimal.
 * Only a person may approve, who has the act's permission and neither asked for it nor made the key
 * that did. A refused attempt is recorded too. Refuses with `NotFound`, `PermissionMissing`,
 * `OwnApproval`, `ApprovalClosed`, `ApprovalChanged`.
 */
export async function approve(services: Services, id: string, hash: string, operator: Operator) {
  return await decide(services, id, operator, 'approveAct', async (transaction, approval) => {
    const refusal = whyNotApproved(approval, hash, operator)
    if (refusal !== null) return refusal
    const now = services.clock.now()
    if (!(await mayStillBeDone(transaction, approval, now))) {
      return new Refusal('ApprovalClosed', {
        message:
          'Whoever asked for this may no longer do it, or had their second factors reset since. ' +
          'Refuse it',
      })
    }
    return { state: 'approved', reason: null }
  })
}

/** Refuses what another person asked for. Refuses like {@link approve}, except for the hash. */
export async function refuse(services: Services, id: string, reason: string, operator: Operator) {
  return await decide(services, id, operator, 'refuseAct', async (_, approval) => {
    if (isOwn(approval, operator))
      return ownApproval('You asked for this yourself: withdraw it instead')
    if (operator.kind === 'key') return keysMayNot()
    return missingPermission(operator, approval.permission) ?? { state: 'refused', reason }
  })
}

/** Withdraws the caller's own request. */
export async function withdraw(services: Services, id: string, operator: Operator) {
  return await decide(services, id, operator, 'withdrawAct', async (_, approval) =>
    isOwn(approval, operator)
      ? { state: 'withdrawn', reason: null }
      : ownApproval('Only the person who asked for it can withdraw it. You may refuse it'),
  )
}

/** Closes what nobody approved in time. Safe to repeat, and to run on several instances at once. */
export async function expireApprovals(services: Services): Promise<void> {
  const now = services.clock.now()
  for (const expired of await listExpired(services.database, now, EXPIRED_AT_ONCE)) {
    await services.database.transaction().execute(async (transaction) => {
      await settleAfter(transaction, expired)
      const approval = await lockApproval(transaction, expired.id)
      if (approval?.state === 'waiting') await expireApproval(services, transaction, approval)
    })
  }
}

const EXPIRED_AT_ONCE = 100

type Decided = { state: 'approved' | 'refused' | 'withdrawn'; reason: string | null }

/**
 * Stores and records what `choose` decides about a waiting act, or that the attempt was refused.
 */
async function decide(
  services: Services,
  id: string,
  operator: Operator,
  act: ActName,
  choose: (transaction: DatabaseTransaction, approval: ApprovalRow) => Promise<Decided | Refusal>,
): Promise<ApprovalRow> {
  const known = await getApproval(services, id)
  const decided = await services.database.transaction().execute(async (transaction) => {
    await settleAfter(transaction, known)
    const approval = await lockApproval(transaction, id)
    invariant(approval !== null, 'Approvals are kept.')
    const chosen =
      (await whyClosed(services, transaction, approval)) ?? (await choose(transaction, approval))
    const { purchase_id: purchaseId, act: call } = approval
    const isRefused = chosen instanceof Refusal
    const row = isRefused
      ? chosen
      : await decideApproval(transaction, {
          id,
          ...chosen,
          decided_by: operator.kind === 'person' ? operator.id : null,
          decided_name: operator.name,
          decided_at: services.clock.now(),
        })
    await recordAction(services, transaction, operator, {
      act,
      purchaseId,
      userId: await userOfAct(transaction, approval),
      details: {
        approval_id: approval.id,
        call,
        hash: Buffer.from(approval.hash).toString('hex'),
        ...(isRefused && { refused: chosen.reason }),
        ...(!isRefused && chosen.reason !== null && { reason: chosen.reason }),
      },
    })
    return row
  })
  if (decided instanceof Refusal) throw decided
  return decided
}

/** Closes it if its time is over. */
async function whyClosed(
  services: Services,
  transaction: DatabaseTransaction,
  approval: ApprovalRow,
): Promise<Refusal | null> {
  if (approval.state === 'waiting' && approval.expires_at > services.clock.now()) return null
  const { state, decided_name: name } =
    approval.state === 'waiting' ? await expireApproval(services, transaction, approval) : approval
  return new Refusal('ApprovalClosed', { message: closedSentences[state](name ?? 'An operator') })
}

const approvedBy = (name: string) => `${name} has approved this already`

const closedSentences: Record<ApprovalRow['state'], (name: string) => string> = {
  waiting: () => 'This is still waiting',
  approved: approvedBy,
  done: approvedBy,
  failed: (name) => `${name} has approved this, but it could not be carried out. Ask for it again`,
  refused: (name) => `${name} has refused this already. Ask for it again`,
  withdrawn: () => 'This was withdrawn by the person who asked for it',
  expired: () => 'This has expired. Ask for it again',
}

function whyNotApproved(approval: ApprovalRow, hash: string, operator: Operator): Refusal | null {
  if (isOwn(approval, operator)) {
    return ownApproval('You asked for this yourself. Another person has to approve it')
  }
  if (operator.kind !== 'person') return keysMayNot()
  const missing = missingPermission(operator, approval.permission)
  if (missing !== null) return missing
  if (isSameHash(Buffer.from(hash, 'hex'), approval.hash)) return null
  return new Refusal('ApprovalChanged')
}

function isOwn({ asked_kind, asked_by, asked_person }: ApprovalRow, { kind, id }: Operator) {
  if (kind === 'token') return asked_kind === 'token'
  return id !== null && (id === asked_by || id === asked_person)
}

function ownApproval(message: string): Refusal {
  return new Refusal('OwnApproval' satisfies RefusalReason, { message })
}

function keysMayNot(): Refusal {
  return new Refusal('PermissionMissing', {
    message: 'Only a person, in the console, decides what waits for a second person',
  })
}
