import { enqueueOperatorMail } from '#server/database/books/outbox.ts'
import { listOwners } from '#server/database/operators/operators.ts'
import type { Role } from '#domain/operators/permissions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

/** Access that lasts longer than the session in which it was given. */
export type GivenAccess =
  | { to: Role; id: string; name: string; email: string }
  | { to: 'key'; name: string; may: string }

/**
 * Writes a mail about it to every owner, also to whoever gave it, since a session may be a thief's.
 * A new owner gets none about themselves.
 */
export async function mailOwnersOfAccess(
  { clock }: Services,
  transaction: DatabaseTransaction,
  given: GivenAccess,
): Promise<void> {
  const about = given.to === 'key' ? { may: given.may } : { email: given.email }
  const params = { to: given.to, name: given.name, ...about }
  for (const { id, email: recipient } of await listOwners(transaction)) {
    if (given.to !== 'key' && given.id === id) continue
    await enqueueOperatorMail(transaction, {
      recipient,
      kind: 'access_given',
      params,
      at: clock.now(),
    })
  }
}
