import { isEmail, normalizeEmail } from '#domain/accounts/account.ts'
import { Refusal } from '#domain/refusal.ts'
import { listKeptMails } from '#server/database/books/outbox.ts'
import type { Services } from '#server/services.ts'

const COUNT_MAX = 100

export type KeptMail = {
  id: string
  recipient: string
  subject: string
  text: string
  html: string
  sentAt: Date
}

/** The sandbox's mailbox, newest first: all of it, or what one address was sent. */
export async function listMails(services: Services, recipient: string | null): Promise<KeptMail[]> {
  if (!services.settings.isSandbox) throw new Refusal('NotFound')
  if (recipient === null) return listKeptMails(services.database, null, COUNT_MAX)
  const email = normalizeEmail(recipient)
  return isEmail(email) ? listKeptMails(services.database, email, COUNT_MAX) : []
}
