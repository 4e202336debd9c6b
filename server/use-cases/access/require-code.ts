import { Refusal } from '#domain/refusal.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { spendCode } from './two-factor-code.ts'

/**
 * Counts a try of a code inside a session, before any look at it. Refuses with `TooManyRequests`.
 * Not in the transaction of the change, which takes back what it wrote when it fails.
 */
export async function countCodeTry(services: Services, userId: string): Promise<void> {
  await services.limits.take('code_by_user', userId)
  await services.limits.take('code_by_user_and_day', userId)
}

/** Uses a code up for a change that is being made. Refuses with `WrongCode`. */
export async function requireCode(
  services: Services,
  transaction: DatabaseTransaction,
  userId: string,
  code: string,
): Promise<void> {
  if (!(await spendCode(services, transaction, userId, code))) throw new Refusal('WrongCode')
}
