import type { ActName } from '#domain/operators/acts.ts'
import type { ClosedByHand, InboxKind } from '#domain/operators/inbox.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { clearRecipient } from '#server/database/books/outbox.ts'
import { closeInboxItem } from '#server/database/operators/inbox.ts'
import {
  findInboxOwner,
  type FormerOwner,
  saveInboxOwner,
} from '#server/database/operators/inbox-owners.ts'
import type { Services } from '#server/services.ts'
import { type Operator, requirePermission } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { findInboxItem, type InboxItem } from './list-inbox.ts'

type Item = { kind: InboxKind; id: string }

/** `seenOwnerId`: whose it was when the caller looked; undefined if that does not matter. */
type SeenItem = Item & { seenOwnerId: string | null | undefined }

/**
 * Assigns an item to the person who calls, whoever had it before, if they may do its next step.
 * Refuses with `InboxItemGone` if it no longer waits, with `InboxItemTaken` if it is no longer
 * whose the caller saw it to be, and with `PersonNeeded` if the caller is not a person.
 */
export async function takeItem(services: Services, item: SeenItem, operator: Operator) {
  const operatorId = requirePerson(operator)
  const { found, former } = await lookUp(services, item)
  requirePermission(operator, found.permission)
  requireOwner(found, [item.seenOwnerId, operatorId])
  return await changeOwner(services, found, operator, { act: 'takeInboxItem', operatorId, former })
}

/** Gives an item back to its role; refuses as `takeItem` does, but not whoever has taken it. */
export async function leaveItem(services: Services, item: SeenItem, operator: Operator) {
  const operatorId = requirePerson(operator)
  const { found, former } = await lookUp(services, item)
  if (found.owner?.id !== operatorId) requirePermission(operator, found.permission)
  requireOwner(found, [item.seenOwnerId, null])
  const change = { act: 'leaveInboxItem', operatorId: null, former } as const
  return await changeOwner(services, found, operator, change)
}

/** An item, and whom to compare when its owner is saved: somebody else may be quicker. */
async function lookUp(services: Services, { seenOwnerId, ...item }: SeenItem) {
  const { kind, id: itemId } = item
  const former =
    seenOwnerId === undefined
      ? undefined
      : await findInboxOwner(services.database, { kind, itemId })
  return { found: await requireItem(services, item), former }
}

/** Undefined stands for anybody. */
function requireOwner({ owner }: InboxItem, owners: readonly (string | null | undefined)[]): void {
  const isAnyone = owners.includes(undefined)
  if (!isAnyone && !owners.includes(owner?.id ?? null)) throw new Refusal('InboxItemTaken')
}

function requirePerson({ kind, id }: Operator): string {
  if (kind !== 'person' || id === null) throw new Refusal('PersonNeeded')
  return id
}

type OwnerChange = {
  act: ActName
  operatorId: string | null
  former: FormerOwner | null | undefined
}

async function changeOwner(
  services: Services,
  found: InboxItem,
  operator: Operator,
  { act, operatorId, former }: OwnerChange,
): Promise<InboxItem> {
  const { kind, id } = found
  const owner = operatorId === null ? null : { operatorId, since: services.clock.now() }
  await services.database.transaction().execute(async (transaction) => {
    const isSaved = await saveInboxOwner(transaction, { kind, itemId: id }, owner, former)
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
