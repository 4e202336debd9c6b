import { insertAction, type NewAction } from '#server/database/books/operator-actions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

/** All operators share one token, so that the name is unproved. */
export type Operator = { name: string | null; address: string }

/** Keeps what an operator does. Call it in the transaction that does it. */
export async function recordAction(
  { clock }: Pick<Services, 'clock'>,
  transaction: DatabaseTransaction,
  operator: Operator,
  action: Pick<NewAction, 'act' | 'purchaseId' | 'userId' | 'details'>,
): Promise<void> {
  const { name, address } = operator
  await insertAction(transaction, { ...action, at: clock.now(), operator: name, address })
}
