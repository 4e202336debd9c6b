import { findAuditHead } from '#server/database/books/audit-head.ts'
import { enqueueOperatorMail } from '#server/database/books/outbox.ts'
import { listOwners } from '#server/database/operators/operators.ts'
import type { Services } from '#server/services.ts'

/**
 * Mails the head of the audit log to every owner once a day (UTC), whichever instance does it and
 * however often it is called: a copy out of reach of anybody who has only the database.
 */
export async function mailAuditHead({ database, clock }: Services): Promise<void> {
  const head = await findAuditHead(database)
  if (head === null) return
  const at = clock.now()
  const day = at.toISOString().slice(0, 'yyyy-mm-dd'.length)
  const params = {
    number: String(head.number),
    hash: Buffer.from(head.hash).toString('hex'),
    at: head.at.toISOString(),
  }
  for (const { id, email: recipient } of await listOwners(database)) {
    const uniqueKey = `audit_head:${day}:${id}`
    await enqueueOperatorMail(database, { recipient, kind: 'audit_head', params, uniqueKey, at })
  }
}
