import type { Services } from '#server/services.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import { guardInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { mineSandboxWhenDue } from '#server/use-cases/sandbox/sandbox-chain.ts'
import { createStageWatch } from '#server/use-cases/sale/watch-stage-changes.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { every } from '#server/runtime/every.ts'

const SECOND_MS = 1_000

/**
 * Starts all background work. Each step is safe to repeat and to run at several instances at once;
 * what must happen once is guarded in the database. Returns the function that stops it.
 */
export function startWorkers(services: Services): () => Promise<void> {
  const work: [name: string, intervalMs: number, step: (services: Services) => Promise<void>][] = [
    ['watch-chains', SECOND_MS, watchChains],
    ['refresh-prices', 5 * SECOND_MS, refreshPrices],
    ['send-mails', 0.5 * SECOND_MS, sendMails],
    ['watch-stage-changes', SECOND_MS, createStageWatch()],
    ['guard-invariants', 5 * SECOND_MS, guardInvariants],
    ['delete-expired-records', 600 * SECOND_MS, deleteExpiredRecords],
    ...(services.settings.isSandbox
      ? [['mine-sandbox', SECOND_MS, mineSandboxWhenDue] as [string, number, typeof watchChains]]
      : []),
  ]
  const workers = work.map(([name, intervalMs, step]) =>
    every(intervalMs, name, services.log, () => step(services)),
  )
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}
