import { Refusal } from '#domain/refusal.ts'
import { type BatchRow, listBatchClaims } from '#server/database/refunds/batches.ts'
import type { Services } from '#server/services.ts'
import { askNode } from '#server/use-cases/access/ask-node.ts'
import { followCurrent, isCurrent } from './follow-payouts.ts'

/** Somebody waits for the file, so after this long they are asked to try again. */
const WITHIN_MS = 20_000
const AGAIN_AFTER_MS = 200

const STILL_READING =
  'Blocks in which payments of this batch may be are still being read, as after a start: a file ' +
  'would have them again. Each try reads on: try it again'

/**
 * Looks on its chain now for what pays a batch. Each look reads some of the blocks that this
 * process has not read yet. Refuses with `RailUnavailable` while it cannot read all of them.
 */
export async function lookForPayments(services: Services, batch: BatchRow): Promise<void> {
  // By hand or at a gateway, only the operator knows what was sent.
  if (services.rails.get(batch.rail)?.payouts === undefined) return
  const giveUpAt = performance.now() + WITHIN_MS
  while (!(await askNode(look(services, batch)))) {
    if (performance.now() >= giveUpAt) {
      throw new Refusal('RailUnavailable', { message: STILL_READING })
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS))
  }
}

async function look(services: Services, batch: BatchRow): Promise<boolean> {
  const every = (await listBatchClaims(services.database, [batch.id])).get(batch.id) ?? []
  return await followCurrent(services, batch, every.filter(isCurrent), true)
}
