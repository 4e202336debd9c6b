import { type AllocationRow, readAllocations } from '#server/database/books/allocations.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordReading } from '#server/use-cases/audit/record-action.ts'

export type AllocationBatch = readonly AllocationRow[]

/**
 * Everybody who is owed tokens, in batches from one snapshot. This is personal data, so reading it
 * is recorded.
 */
export async function listAllocations(
  services: Services,
  operator: Operator,
): Promise<AsyncGenerator<AllocationRow[]>> {
  await recordReading(services, operator, { act: 'listAllocations' })
  return readAllocations(services.database)
}
