import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'

/**
 * Counts and logs that an operator opens the records of a purchase or a user, so that nobody can
 * read through all of them one by one. Uses of the server's token, which may do anything, are only
 * logged. Refuses with `TooManyRequests`.
 */
export async function noteOpened(
  { limits, log }: Services,
  { kind, id: operatorId, address }: Operator,
  record: { purchaseId: string } | { userId: string },
): Promise<void> {
  if (operatorId !== null) await limits.take('record_by_operator', operatorId)
  log.info({ kind, operatorId, address, ...record }, 'An operator opened a record')
}
