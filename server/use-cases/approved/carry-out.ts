import { Refusal, type RefusalReason } from '#domain/refusal.ts'
import { acquireLease, deleteLease, endLeaseAt } from '#server/database/connection/leases.ts'
import {
  type ApprovalRow,
  ApprovalUsed,
  closeApproval,
  findApproval,
  listApproved,
  mayStillBeDone,
} from '#server/database/operators/approvals.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  hashOfAct,
  type WaitingAct,
  type WaitingActs,
} from '#server/use-cases/approvals/waiting-acts.ts'
import { approve } from '#server/use-cases/approvals/decide-approval.ts'
import { settleAfter } from '#server/use-cases/approvals/require-approval.ts'
import { isSameHash } from '#server/use-cases/audit/audit-chain.ts'
import { userOfAct } from '#server/use-cases/approvals/user-of-act.ts'
import { recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { publishDistribution } from '#server/use-cases/distributions/publish-distribution.ts'
import { closeDistribution } from '#server/use-cases/deliveries/close-distribution.ts'
import { withdrawDistribution } from '#server/use-cases/deliveries/withdraw-distribution.ts'
import { markPurchase } from '#server/use-cases/operations/mark-purchase.ts'
import { resumeSale } from '#server/use-cases/operations/pause-sale.ts'
import { closeSale } from '#server/use-cases/reversals/close-sale.ts'
import { applySaleFile } from '#server/use-cases/sale-files/apply-sale-file.ts'
import { changeForBuyer } from '#server/use-cases/wallets/change-for-buyer.ts'
import { correctSnapshot, freeze } from '#server/use-cases/snapshots/freeze.ts'
import { sendKeptSweep } from '#server/use-cases/sweeps/send-sweep.ts'
import { payRefund } from '#server/use-cases/operations/pay-refund.ts'
import { approveClaim } from '#server/use-cases/refunds/decide-claim.ts'
import { makeBatch } from '#server/use-cases/refunds/make-batch.ts'

type CarryOut<Input> = (services: Services, input: Input, operator: Operator) => Promise<unknown>

/** How each act is done once it is approved. */
const acts: { [Name in WaitingAct]: CarryOut<WaitingActs[Name]> } = {
  payRefund: (services, { id, shared, ...payment }, operator) =>
    payRefund(services, { ...payment, receiptId: id, isShared: shared }, operator),
  approveRefundClaim: approveClaim,
  makeRefundBatch: (
    services,
    { rail, chain, payment_token_id: paymentTokenId, claim_ids: claimIds, sha256 },
    operator,
  ) => makeBatch(services, { rail, chain, paymentTokenId, claimIds, sha256 }, operator),
  releasePurchase: (services, { id, reason, usd: usdMax, marked_date: markedAt }, operator) =>
    markPurchase(
      services,
      { id, kind: 'released', reason, approved: { usdMax, markedAt } },
      operator,
    ),
  closeSale: (services, { reason, raised }, operator) =>
    closeSale(services, { reason, raised }, operator),
  freeze: (services, approved, operator) => freeze(services, operator, approved),
  correctSnapshot: (services, { reason, ...approved }, operator) =>
    correctSnapshot(services, reason, operator, approved),
  resumeSale: (services, { breaches: faults, paused_date: pausedAt }, operator) =>
    resumeSale(services, { isForced: true, approved: { faults, pausedAt } }, operator),
  applySaleFile: (services, { text, hash, applied_id: appliedId }, operator) =>
    applySaleFile(services, { text, hash, appliedId: BigInt(appliedId) }, operator),
  sendSweep: (services, { hash }, operator) => sendKeptSweep(services, { hash }, operator),
  changeUserWallet: (services, { id, ...change }, operator) =>
    changeForBuyer(services, { userId: id, ...change }, operator),
  publishDistribution: (services, { id, contract, ...asked }, operator) =>
    publishDistribution(
      services,
      {
        id: BigInt(id),
        contract,
        campaign: asked.campaign,
        fromHeight: BigInt(asked.from_block),
        claimUrl: asked.claim_url,
        expiresAt: asked.expires_date === null ? null : new Date(asked.expires_date),
        isHandedOut: asked.is_handed_out,
      },
      operator,
    ),
  withdrawDistribution: (services, { id, reason, contract: approvedAt }, operator) =>
    withdrawDistribution(services, { id: BigInt(id), reason, approvedAt }, operator),
  closeDistribution: (services, { id, reason, sends_nothing_more: sendsNothingMore }, operator) =>
    closeDistribution(services, { id: BigInt(id), reason, sendsNothingMore }, operator),
}

/** What stops an act only for now. */
const passing: ReadonlySet<RefusalReason> = new Set(['Busy', 'RailUnavailable', 'Unavailable'])

/** A server fault or an outage that lasts longer than this counts as a fault of the act. */
const TRIED_FOR_MS = 60 * 60_000
const TRY_AGAIN_MS = 30_000
/**
 * Longer than any act takes: a freeze of a million purchases takes three minutes. If a server dies
 * during an act, another one does it after this time.
 */
const LEASE_MS = 10 * 60_000

const CARRIED_OUT_AT_ONCE = 20

/**
 * Approves an act (see {@link approve} for its refusals) and does it at once, in the name of its
 * requester. An act that then cannot be done becomes `failed` and says why. If the server dies in
 * between, the act stays `approved`, and any instance does it.
 */
export async function approveAndCarryOut(
  services: Services,
  { id, hash }: { id: string; hash: string },
  operator: Operator,
): Promise<ApprovalRow> {
  const approved = await approve(services, id, hash, operator)
  await carryOut(services, approved).catch((fault: unknown) => logFault(services, approved, fault))
  return (await findApproval(services.database, id)) ?? approved
}

/**
 * Does what was approved but not done yet. Safe to repeat, and to run on several instances at once.
 */
export async function carryOutApproved(services: Services): Promise<void> {
  for (const approval of await listApproved(services.database, CARRIED_OUT_AT_ONCE)) {
    await carryOut(services, approval).catch(async (fault: unknown) => {
      logFault(services, approval, fault)
      const triedForMs = services.clock.now().getTime() - (approval.decided_at?.getTime() ?? 0)
      if (triedForMs < TRIED_FOR_MS) return
      const why = fault instanceof Refusal ? ` (${sentenceOf(fault)})` : ''
      const reason = `The server could not do this for an hour${why}. Ask for it again`
      await fail(services, approval, reason)
    })
  }
}

/**
 * Does an act exactly once: its transaction uses up the approval, and another transaction that
 * tries the same finds it used and rolls back. A lease keeps two from trying it at once, as large
 * acts are costly, and one would be refused because of the other. Throws what may pass, to be tried
 * again.
 */
export async function carryOut(services: Services, approval: ApprovalRow): Promise<void> {
  const { database, clock } = services
  const lease = `approval ${approval.id}`
  if (!(await acquireLease(database, lease, clock.now(), LEASE_MS, 2 * LEASE_MS))) return
  try {
    const { state } = (await findApproval(database, approval.id)) ?? approval
    if (state === 'approved') await tryOnce(services, approval)
  } catch (fault) {
    await endLeaseAt(database, lease, new Date(clock.now().getTime() + TRY_AGAIN_MS))
    throw fault
  }
  await deleteLease(database, lease)
}

async function tryOnce(services: Services, approval: ApprovalRow): Promise<void> {
  const { id, act, input, hash, decided_name: decidedName, decided_by: decidedBy } = approval
  if (!isSameHash(hashOfAct(act, input), hash) || !isKnown(act)) {
    return await fail(services, approval, 'It is no longer what was asked for. Ask for it again')
  }
  // During an outage it may have turned out that a session was a thief's.
  if (!(await mayStillBeDone(services.database, approval, services.clock.now()))) {
    const reason =
      'Whoever asked for this, or approved it, may no longer do it, or had their second factors ' +
      'reset since'
    return await fail(services, approval, reason)
  }
  const operator: Operator = {
    kind: approval.asked_kind,
    id: approval.asked_by,
    name: approval.asked_name === '' ? null : approval.asked_name,
    role: null,
    sessionId: null,
    permissions: [approval.permission],
    address: approval.asked_address,
    approval: { id, by: `${decidedName ?? ''} (${decidedBy ?? ''})` },
  }
  try {
    // The hash covers the input that was kept when the act was requested with this very type.
    await (acts[act] as CarryOut<unknown>)(services, input, operator)
  } catch (fault) {
    if (fault instanceof ApprovalUsed) return
    if (!(fault instanceof Refusal) || passing.has(fault.reason)) throw fault
    return await fail(services, approval, sentenceOf(fault))
  }
  // The act had nothing to do, as when somebody did it meanwhile.
  await closeApproval(services.database, id, 'done', null)
}

function isKnown(act: string): act is WaitingAct {
  return Object.hasOwn(acts, act)
}

async function fail(services: Services, approval: ApprovalRow, reason: string): Promise<void> {
  const { id, act, purchase_id: purchaseId } = approval
  await services.database.transaction().execute(async (transaction) => {
    await settleAfter(transaction, approval)
    if (!(await closeApproval(transaction, id, 'failed', reason))) return
    const userId = await userOfAct(transaction, approval)
    await recordAction(services, transaction, theServer, {
      act: 'failApproved',
      purchaseId,
      userId,
      details: { approval_id: id, call: act, reason },
    })
  })
}

/** Its sentence, or the name of its reason, for which the contract has a sentence. */
function sentenceOf({ message, details: { errors = [] } }: Refusal): string {
  return errors.length === 0 ? message : errors.map((error) => error.message).join('. ')
}

function logFault({ log }: Services, { id, act }: ApprovalRow, fault: unknown): void {
  const facts = { approvalId: id, act, fault }
  const sentence = 'What was approved could not be done yet'
  if (fault instanceof Refusal) log.warn(facts, sentence)
  else log.error(facts, sentence)
}
