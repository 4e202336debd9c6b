import type { ActName } from '#domain/operators/acts.ts'
import { delayErasure } from '#server/database/accounts/users.ts'
import { lockAuditHead, saveAuditHead } from '#server/database/books/audit-head.ts'
import {
  type ActionFilter,
  type ActionRow,
  insertAction,
  listActionRows,
} from '#server/database/books/operator-actions.ts'
import { consumeApproval } from '#server/database/operators/approvals.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { noSuchPurchase } from '#server/use-cases/access/no-such-purchase.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { hashOfAction, sealOfHead } from './audit-chain.ts'

/** What an operator, or the server for them, has done. */
export type Act = {
  act: ActName
  purchaseId?: string | null | undefined
  userId?: string | undefined
  /** No secrets, and no email addresses or names of buyers: this outlives an erasure. */
  details?: Record<string, string>
}

/** The server itself, where it acts by the clock. */
export const theServer = { kind: 'server', id: null, name: null, address: '' } as const

type Actor = Operator | typeof theServer

/**
 * Records an operator's act as the next row of the audit log. Call it in the act's transaction,
 * after its other locks: other acts wait from here until that transaction ends. If a second person
 * approved the act, the approval is used up here, so that the act is done once however often it is
 * tried; throws if it was used before.
 */
export async function recordAction(
  { clock, settings: { secretKey } }: Services,
  transaction: DatabaseTransaction,
  operator: Actor,
  { act, purchaseId, userId, details = {} }: Act,
): Promise<void> {
  const { kind, id: operatorId, name, address } = operator
  const approval = operator.kind === 'server' ? undefined : operator.approval
  if (approval !== undefined) await consumeApproval(transaction, approval.id)
  // The row refers to the user, whom somebody may be erasing who then waits for the head.
  if (userId !== undefined) await delayErasure(transaction, userId)
  const { number, hash: previous } = await lockAuditHead(transaction)
  const at = clock.now()
  const action = {
    id: number + 1n,
    kind,
    operator_id: operatorId,
    operator: name,
    address,
    act,
    purchase_id: purchaseId ?? null,
    user_id: userId ?? null,
    details: wellFormed(
      approval === undefined
        ? details
        : { ...details, approval_id: approval.id, approved_by: approval.by },
    ),
  }
  const atMicros = BigInt(at.getTime()) * 1000n
  const hash = hashOfAction(secretKey, previous, { ...action, atMicros })
  await insertAction(transaction, { ...action, at, hash })
  const head = { number: action.id, hash, at }
  await saveAuditHead(transaction, { ...head, seal: sealOfHead(secretKey, head) })
}

/** Records that an operator reads what not everybody may see; nothing else changes with it. */
export async function recordReading(services: Services, operator: Operator, reading: Act) {
  await services.database
    .transaction()
    .execute((transaction) => recordAction(services, transaction, operator, reading))
}

/** Exports rows in batches from one snapshot; they are personal: that they are read is recorded. */
export const exporting =
  <Row>(act: ActName, read: (database: Database) => AsyncGenerator<Row[]>) =>
  async (services: Services, operator: Operator): Promise<AsyncGenerator<Row[]>> => {
    await recordReading(services, operator, { act })
    return read(services.database)
  }

/** The database refuses unpaired surrogates in JSON, and anybody can send them. */
function wellFormed(details: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(details).map(([name, text]) => [name, text.toWellFormed()]),
  )
}

/** `after` is the id of the first of the next page; null if this is the last one. */
export type ActionPage = { items: readonly ActionRow[]; after: bigint | null }

export type ActionQuestion = Pick<ActionFilter, 'act' | 'from' | 'to'> & {
  /** The id or the name of who acted. */
  who?: string | undefined
  purchase?: string | undefined
  after: bigint | null
  limit: number
}

/** What operators did, newest first. Refuses with `NotFound` a text that is not a purchase's id. */
export async function listActions(
  { database }: Services,
  { who, purchase, after, limit, ...filter }: ActionQuestion,
): Promise<ActionPage> {
  if (purchase !== undefined && !isId(purchase)) {
    throw noSuchPurchase(purchase)
  }
  const by = who === undefined ? {} : isId(who) ? { operatorId: who } : { name: who }
  const wanted = { ...filter, ...by, purchaseId: purchase }
  const rows = await listActionRows(database, wanted, after, limit + 1)
  return { items: rows.slice(0, limit), after: rows[limit]?.id ?? null }
}
