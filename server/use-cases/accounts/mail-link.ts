import type { LinkPurpose as AnyPurpose } from '#server/database/tables/account-tables.ts'
import { insertLink } from '#server/database/accounts/links.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { lockUser } from '#server/database/accounts/users.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { hashToken, linkTokenOf } from '#server/use-cases/access/session-tokens.ts'

/** The other purpose belongs to a wallet change, whose link lasts as long as the change waits. */
type LinkPurpose = Exclude<AnyPurpose, 'cancel_wallet'>

export const linkTtlMs: Record<LinkPurpose, number> = {
  verify_email: 24 * 60 * 60_000,
  reset_password: 30 * 60_000,
}

/** Makes a single-use link, voids its older ones, and writes the mail that carries it. */
export async function mailLink(services: Services, userId: string, purpose: LinkPurpose) {
  await services.database
    .transaction()
    .execute((transaction) => writeLinkMail(services, transaction, userId, purpose))
}

/** The same within the transaction of the act that requires it. */
export async function writeLinkMail(
  { random, clock, settings }: Services,
  transaction: DatabaseTransaction,
  userId: string,
  purpose: LinkPurpose,
): Promise<void> {
  // A user who was erased meanwhile gets no mail.
  if (!(await lockUser(transaction, userId))) return
  const linkId = random.id()
  const now = clock.now()
  await insertLink(transaction, {
    id: linkId,
    user_id: userId,
    purpose,
    token_hash: hashToken(linkTokenOf(settings.secretKey, linkId)),
    created_at: now,
    expires_at: new Date(now.getTime() + linkTtlMs[purpose]),
  })
  await enqueueMail(transaction, {
    userId,
    kind: purpose,
    params: { link_id: linkId },
    uniqueKey: `${purpose}:${linkId}`,
    at: now,
  })
}
