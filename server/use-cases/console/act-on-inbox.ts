import type { ActName } from '#domain/operators/acts.ts'
import type { ClosedByHand, InboxKind } from '#domain/operators/inbox.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { clearRecipient } from '#server/database/books/outbox.ts'
import { closeInboxItem } from '#server/database/operators/inbox.ts'
import { saveInboxOwner } from '#server/database/operators/inbox-owners.ts'
import type { Services } from '#server/services.ts'
import { type Operator, requirePermission } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { findInboxItem, type InboxItem } from './list-inbox.ts'

type Item = { kind: InboxKind; id: string }

/**
 * Assigns an item to the person who calls, whoever had it before, if they may do its next step.
 * Refuses with `InboxItemGone` if it no longer waits, with `InboxItemTaken` if it is no longer
 * whose the caller saw it to be, and with `PersonNeeded` if the caller is not a person.
 */
export async function takeItem(
  services: Services,
  { seenOwnerId, ...item }: Item & { seenOwnerId: string | null | undefined },
  operator: Operator,
) {
  const operatorId = requirePerson(operator)
  const lookedAt = services.clock.now()
  const found = await requireItem(services, item)
  requirePermission(operator, found.permission)
  const { owner } = found
  const isAsSeen = seenOwnerId === undefined || seenOwnerId === (owner?.id ?? null)
  if (!isAsSeen) throw new Refusal('InboxItemTaken')
  const taken = { operatorId, formerSince: owner?.since ?? lookedAt }
  return await changeOwner(services, found, operator, 'takeInboxItem', taken)
}

/** Gives an item back to its role; refuses as `takeItem` does, but not whoever has taken it. */
export async function leaveItem(services: Services, item: Item, operator: Operator) {
  const operatorId = requirePerson(operator)
  const found = await requireItem(services, item)
  if (found.owner?.id !== operatorId) requirePermission(operator, found.permission)
  return await changeOwner(services, found, operator, 'leaveInboxItem', null)
}

function requirePerson({ kind, id }: Operator): string {
  if (kind !== 'person' || id === null) throw new Refusal('PersonNeeded')
  return id
}

async function changeOwner(
  services: Services,
  found: InboxItem,
  operator: Operator,
  act: ActName,
  taken: { operatorId: string; formerSince: Date } | null,
): Promise<InboxItem> {
  const { kind, id } = found
  const owner = taken && { ...taken, since: services.clock.now() }
  await services.database.transaction().execute(async (transaction) => {
    const isSaved = await saveInboxOwner(transaction, { kind, itemId: id }, owner)
    if (!isSaved) throw new Refusal('InboxItemTaken')
    await recordAction(services, transaction, operator, actOf(act, found))
  })
  return await requireItem(services, { kind, id })
}

/**
 * Puts away for good, with a reason, what nothing else ends. Refuses with `InboxItemGone` if it no
 * longer waits: if two people put an item away at once, only one of them succeeds. The lost payment
 * of a purchase is refused: it would keep its tokens.
 */
export async function closeItem(
  services: Services,
  item: { kind: ClosedByHand; id: string; reason: string },
  operator: Operator,
): Promise<void> {
  const { kind, id, reason } = item
  const found = await requireItem(services, item)
  if (kind === 'lost_payment' && found.purchaseId !== null) {
    throw wrongField('id', 'This ends with its purchase: fail that, or wait for the gateway')
  }
  await services.database.transaction().execute(async (transaction) => {
    const at = services.clock.now()
    const isClosed = await closeInboxItem(transaction, { kind, itemId: id, reason, at })
    if (!isClosed) throw new Refusal('InboxItemGone')
    if (kind === 'mail') await clearRecipient(transaction, id)
    const { details, ...action } = actOf('closeInboxItem', found)
    const full = { ...action, details: { ...details, reason } }
    await recordAction(services, transaction, operator, full)
  })
}

async function requireItem(services: Services, { kind, id }: Item): Promise<InboxItem> {
  const found = await findInboxItem(services, kind, id)
  if (found === null) throw new Refusal('InboxItemGone')
  return found
}

const actOf = (act: ActName, { kind, id, purchaseId }: InboxItem) => ({
  act,
  purchaseId,
  details: { kind, item: id },
})
