import { isEmail, normalizeEmail } from '#domain/accounts/account.ts'
import { Refusal } from '#domain/refusal.ts'
import { findKeptHtml, listKeptMails } from '#server/database/books/outbox.ts'
import type { Services } from '#server/services.ts'

const COUNT_MAX = 100

/** The sandbox's mailbox, newest first: all of it, or the mails to one address. */
export async function listMails(services: Services, recipient: string | null) {
  if (!services.settings.isSandbox) throw new Refusal('NotFound')
  if (recipient === null) return listKeptMails(services.database, null, COUNT_MAX)
  const email = normalizeEmail(recipient)
  return isEmail(email) ? listKeptMails(services.database, email, COUNT_MAX) : []
}

/** A mail's id has at most as many digits as the database's largest integer. */
const MAIL_ID = /^\d{1,18}$/

/** A mail in the sandbox's mailbox, as mail programs show it. */
export async function getMailHtml(services: Services, mailId: string): Promise<string> {
  const isAsked = services.settings.isSandbox && MAIL_ID.test(mailId)
  const html = isAsked ? await findKeptHtml(services.database, BigInt(mailId)) : null
  if (html === null) throw new Refusal('NotFound')
  return html
}
