import { formatDecimal, type Usd, USD_DECIMALS } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import {
  type ApprovalRow,
  decideApproval,
  findMakerOfKey,
  findWaiting,
  hasOtherOperator,
  insertApproval,
  lockApproval,
  mayStillBeDone,
} from '#server/database/operators/approvals.ts'
import { enqueueOperatorMail } from '#server/database/books/outbox.ts'
import { requestSettlements } from '#server/database/purchases/purchases.ts'
import { findAppliedFileId, NO_SALE_FILE } from '#server/database/sale/applied-sale.ts'
import { listOwners } from '#server/database/operators/operators.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { type Act, recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { userOfAct } from './user-of-act.ts'
import {
  hashOfAct,
  permissionOf,
  type WaitingAct,
  type WaitingActs,
  waitsForToken,
} from './waiting-acts.ts'

/** How long an act waits for a second person. */
export const APPROVAL_TTL_MS = 72 * 60 * 60_000

/** The act was not done: it waits for a second person. Answered with status 202. */
export class WaitsForApproval extends Error {
  override readonly name = 'WaitsForApproval'
  readonly approval: ApprovalRow

  constructor(approval: ApprovalRow) {
    super(`${approval.act} is waiting for a second person.`)
    this.approval = approval
  }
}

export type ActToApprove<Name extends WaitingAct> = {
  act: Name
  input: WaitingActs[Name]
  /** One sentence for the second person that says what is asked for, without names of buyers. */
  summary: string
  /** The id or name of what the act is about; null for the sale as a whole. */
  about: string | null
  purchaseId?: string
  /** What is at stake; null if it is not money, or of unknown value. */
  usd: Usd | null
  /** Gets what is to be recorded with the act, if the caller locks more before it records that. */
  acts?: Act[]
}

/**
 * Asks for a second person if the act takes two. Call it in the act's transaction, once everything
 * that the decision depends on is locked, and return its result unless that is null: `actOrWait`
 * stores it and throws it. Null means that the act may be done now: a second person has approved
 * it, there has never been another operator, or it is made with the server's token and does not
 * have to wait even so. The last two are recorded as such.
 */
export async function requireApproval<Name extends WaitingAct>(
  services: Services,
  transaction: DatabaseTransaction,
  operator: Operator,
  asked: ActToApprove<Name>,
): Promise<WaitsForApproval | null> {
  if (operator.approval !== undefined) return null
  const { id, kind, name } = operator
  const person = kind === 'key' && id !== null ? await findMakerOfKey(transaction, id) : id
  const isToken = kind === 'token'
  const mayWait = !isToken || waitsForToken.has(asked.act)
  const mustWait = mayWait && (await hasOtherOperator(transaction, person))
  const waives = mustWait ? null : isToken ? 'token' : 'alone'
  if (waives !== null) {
    const alone: Act = {
      act: 'actAlone',
      purchaseId: asked.purchaseId,
      userId: await userOfAct(transaction, asked),
      details: { call: asked.act, why: waives, ...stakeOf(asked.usd) },
    }
    if (asked.acts === undefined) await recordAction(services, transaction, operator, alone)
    else asked.acts.push(alone)
    if (waives === 'token') await mailOwners(services, transaction, operator, asked)
    return null
  }
  const hash = hashOfAct(asked.act, asked.input)
  const now = services.clock.now()
  const waiting = await findUsable(services, transaction, { hash, asked_by: id })
  if (waiting !== null) return new WaitsForApproval(waiting)
  const approval = await insertApproval(transaction, {
    id: services.random.id(),
    act: asked.act,
    input: asked.input,
    hash,
    summary: asked.summary,
    about: asked.about,
    purchase_id: asked.purchaseId ?? null,
    usd: asked.usd,
    permission: permissionOf[asked.act],
    asked_kind: kind,
    asked_by: id,
    asked_name: name ?? '',
    asked_address: operator.address,
    asked_person: person,
    asked_at: now,
    expires_at: new Date(now.getTime() + APPROVAL_TTL_MS),
  })
  // Somebody else asked for the same at the same moment.
  if (approval === null) {
    const other = await findWaiting(transaction, { hash, asked_by: id })
    if (other === null) return await requireApproval(services, transaction, operator, asked)
    return new WaitsForApproval(other)
  }
  await recordAction(services, transaction, operator, {
    act: 'askForApproval',
    purchaseId: asked.purchaseId,
    userId: await userOfAct(transaction, asked),
    details: {
      approval_id: approval.id,
      call: asked.act,
      hash: Buffer.from(hash).toString('hex'),
      ...stakeOf(asked.usd),
    },
  })
  return new WaitsForApproval(approval)
}

/**
 * The same request, if it waits already. One from before a reset of its requester's factors can no
 * longer be approved, and makes room like one that has expired.
 */
async function findUsable(
  services: Services,
  transaction: DatabaseTransaction,
  wanted: Pick<ApprovalRow, 'hash' | 'asked_by'>,
): Promise<ApprovalRow | null> {
  const waiting = await findWaiting(transaction, wanted)
  if (waiting === null) return null
  const now = services.clock.now()
  const isGood = waiting.expires_at > now && (await mayStillBeDone(transaction, waiting, now))
  if (isGood) return waiting
  // It may be expired by a worker, or decided, at this moment.
  const locked = await lockApproval(transaction, waiting.id)
  if (locked?.state === 'waiting') await expireApproval(services, transaction, locked)
  return null
}

/**
 * Runs the transaction of an act that may have to wait. Throws {@link WaitsForApproval} once the
 * waiting act is stored. Refuses with `Unavailable` if this instance has the rules of an older sale
 * file than the applied one: by the older rules, an act that has to wait now might not.
 */
export async function actOrWait<Result>(
  services: Services,
  { approval }: Operator,
  work: (transaction: DatabaseTransaction) => Promise<Result | WaitsForApproval>,
): Promise<Result> {
  return await actOrWaitByAnyRules(services, async (transaction) => {
    if (approval === undefined) await requireAppliedSale(services, transaction)
    return await work(transaction)
  })
}

/** Refuses with `Unavailable` if this instance has an older sale file than the applied one. */
export async function requireAppliedSale(
  { saleFileId }: Pick<Services, 'saleFileId'>,
  transaction: DatabaseTransaction,
): Promise<void> {
  const appliedId = await findAppliedFileId(transaction)
  if (appliedId === null || appliedId === saleFileId) return
  throw new Refusal('Unavailable', { message: OTHER_SALE })
}

/**
 * As {@link actOrWait}, for what an instance with an older sale file may do too. Nothing is done by
 * one whose database a newer version has migrated.
 */
export async function actOrWaitByAnyRules<Result>(
  { database, saleFileId }: Services,
  work: (transaction: DatabaseTransaction) => Promise<Result | WaitsForApproval>,
): Promise<Result> {
  if (saleFileId === NO_SALE_FILE) throw new Refusal('Unavailable', { message: OTHER_VERSION })
  const result = await database.transaction().execute(work)
  if (result instanceof WaitsForApproval) throw result
  return result
}

const OTHER_SALE =
  'Another sale file was applied, which this server does not use yet. Try again in a ' +
  'minute. If this does not help, its log says why'

const OTHER_VERSION =
  'A newer version of this program has changed the database. Stop this server, and use the new one'

/**
 * While a refund's mark waits, its money buys nothing: once it may have ended, its purchase is
 * settled again. Call it before the approval is locked: marks lock purchases before approvals, and
 * settling locks `settlements_due` before purchases.
 */
export async function settleAfter(
  transaction: DatabaseTransaction,
  { act, purchase_id: purchaseId }: Pick<ApprovalRow, 'act' | 'purchase_id'>,
): Promise<void> {
  if (act !== 'payRefund' || purchaseId === null) return
  await requestSettlements(transaction, [purchaseId])
}

/** Closes what has waited too long; call it with the row locked. */
export async function expireApproval(
  services: Services,
  transaction: DatabaseTransaction,
  { id, act, about, purchase_id: purchaseId }: ApprovalRow,
): Promise<ApprovalRow> {
  const decision = { decided_by: null, decided_name: null, decided_at: services.clock.now() }
  const reason = 'Nobody approved it in time'
  const expired = { id, state: 'expired' as const, ...decision, reason }
  const row = await decideApproval(transaction, expired)
  await recordAction(services, transaction, theServer, {
    act: 'expireApproval',
    purchaseId,
    userId: await userOfAct(transaction, { act, about }),
    details: { approval_id: id, call: act },
  })
  return row
}

/** Whoever has the token needs no second person, so all owners are informed. */
async function mailOwners(
  { clock }: Services,
  transaction: DatabaseTransaction,
  { name }: Operator,
  { act, summary, usd }: Pick<ActToApprove<WaitingAct>, 'act' | 'summary' | 'usd'>,
): Promise<void> {
  const params = { call: act, summary, name: name ?? '', ...stakeOf(usd) }
  for (const { email: recipient } of await listOwners(transaction)) {
    const kind = 'token_acted_alone'
    await enqueueOperatorMail(transaction, { recipient, kind, params, at: clock.now() })
  }
}

function stakeOf(usd: Usd | null): Record<string, string> {
  return usd === null ? {} : { usd: formatDecimal(usd, USD_DECIMALS) }
}
