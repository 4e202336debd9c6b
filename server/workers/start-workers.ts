import type { Services } from '#server/services.ts'
import { expireApprovals } from '#server/use-cases/approvals/decide-approval.ts'
import { mailAuditHead } from '#server/use-cases/audit/mail-audit-head.ts'
import { carryOutApproved } from '#server/use-cases/approved/carry-out.ts'
import { createAudit } from '#server/use-cases/operations/audit-books.ts'
import { carrySweeps } from '#server/use-cases/sweeps/carry-sweeps.ts'
import { saveVisits } from '#server/use-cases/console/save-visits.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import { guardInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { createWebhookDelivery } from '#server/use-cases/connections/deliver-webhooks.ts'
import { mineSandboxWhenDue } from '#server/use-cases/sandbox/sandbox-chain.ts'
import { createStageWatch } from '#server/use-cases/sale/watch-stage-changes.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { createDeliveryMails } from '#server/use-cases/deliveries/delivery-mails.ts'
import { createDistributionWatch } from '#server/use-cases/deliveries/follow-distributions.ts'
import { createPayoutWatch } from '#server/use-cases/refunds/follow-payouts.ts'
import { createChainWatch } from '#server/use-cases/settlement/watch-chains.ts'
import { remindOfChanges } from '#server/use-cases/wallets/remind-of-changes.ts'
import { undoClosedSale } from '#server/use-cases/reversals/close-sale.ts'
import { every } from '#server/runtime/every.ts'

const SECOND_MS = 1_000

/** Notices also what no notification has brought. */
async function followSale(services: Services): Promise<void> {
  await services.followSale()
}

export type Loop = {
  name: string
  intervalMs: number
  step(services: Services, stop?: AbortSignal): Promise<void>
}

/** All background work, and how to end what its steps leave running. */
export function listLoops(services: Services): {
  loops: readonly Loop[]
  /** Aborts webhooks that are being sent; it need not wait for the loops. */
  stopSending(): Promise<void>
  /** Ends readings of chains; call it once no loop can begin another one. */
  stopReading(): Promise<void>
} {
  const webhooks = createWebhookDelivery(services)
  const chains = createChainWatch()
  const loops: [name: string, intervalMs: number, step: Loop['step']][] = [
    ['watch-chains', SECOND_MS, chains.step],
    ['follow-sale', SECOND_MS, followSale],
    ['refresh-prices', 5 * SECOND_MS, refreshPrices],
    ['send-mails', 0.5 * SECOND_MS, sendMails],
    ['deliver-webhooks', SECOND_MS, webhooks.step],
    ['watch-stage-changes', SECOND_MS, createStageWatch()],
    ['guard-invariants', 5 * SECOND_MS, guardInvariants],
    ['audit-books', SECOND_MS, createAudit()],
    ['expire-approvals', 60 * SECOND_MS, expireApprovals],
    ['mail-audit-head', 600 * SECOND_MS, mailAuditHead],
    ['carry-out-approved', 5 * SECOND_MS, carryOutApproved],
    ['follow-payouts', 5 * SECOND_MS, createPayoutWatch()],
    ['follow-distributions', SECOND_MS, createDistributionWatch()],
    ['mail-deliveries', 60 * SECOND_MS, createDeliveryMails()],
    ['carry-sweeps', 5 * SECOND_MS, carrySweeps],
    ['undo-closed-sale', 2 * SECOND_MS, undoClosedSale],
    ['remind-of-wallets', 60 * SECOND_MS, remindOfChanges],
    ['save-visits', 10 * SECOND_MS, saveVisits],
    ['delete-expired-records', 600 * SECOND_MS, deleteExpiredRecords],
  ]
  if (services.settings.isSandbox) loops.push(['mine-sandbox', SECOND_MS, mineSandboxWhenDue])
  return {
    loops: loops.map(([name, intervalMs, step]) => ({ name, intervalMs, step })),
    stopSending: () => webhooks.stop(),
    stopReading: () => chains.stop(),
  }
}

/**
 * Starts all background work. Each step is safe to repeat and to run on several instances at once;
 * what must happen once is guarded in the database. Returns the function that stops it.
 */
export function startWorkers(services: Services): () => Promise<void> {
  const { loops, stopSending, stopReading } = listLoops(services)
  const workers = loops.map(({ name, intervalMs, step }) =>
    // Each step is of one sale from beginning to end.
    every(intervalMs, name, services.log, (stop) => step({ ...services }, stop)),
  )
  return async () => {
    await Promise.all([...workers.map((worker) => worker.stop()), stopSending()])
    await stopReading()
  }
}
