import { type AllocationRow, readAllocations } from '#server/database/books/allocations.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'

export type AllocationBatch = readonly AllocationRow[]

/**
 * Everybody who is owed tokens, in batches from one snapshot. This is personal data, so reading it
 * is recorded.
 */
export async function listAllocations(
  services: Services,
  operator: Operator,
): Promise<AsyncGenerator<AllocationRow[]>> {
  await services.database
    .transaction()
    .execute((transaction) =>
      recordAction(services, transaction, operator, { act: 'listAllocations', details: {} }),
    )
  return readAllocations(services.database)
}
