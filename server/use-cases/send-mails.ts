import {
  type ClaimedMail,
  claimMails,
  markMailFailed,
  markMailSent,
  releaseMails,
} from '#server/database/outbox.ts'
import { MAIL_WITHIN_MS, type Services } from '#server/services.ts'
import { composeMail, senderOf } from './compose-mail.ts'
import { renderHtml } from './mails/render-html.ts'
import { renderText } from './mails/render-text.ts'

/** A step every half second makes fifty a second: more than mail relays take, and no more. */
const BATCH_MAX = 25
/** After that another instance may try; no sending begins that could last longer. */
const CLAIM_MS = 5 * 60_000
const FIRST_RETRY_MS = 5_000
const RETRY_MAX_MS = 60 * 60_000
/** With an hour between the later ones, about three days. */
const ATTEMPTS_MAX = 80

/**
 * Sends the mails that are due, the oldest of them, so that a burst of purchases does not wait for
 * the mails about it. A mail that cannot be sent is tried again, ever more slowly. No database
 * transaction is open while one is being sent.
 */
export async function sendMails(services: Services): Promise<void> {
  const now = services.clock.now()
  const claimedUntil = new Date(now.getTime() + CLAIM_MS)
  const mails = await claimMails(services.database, BATCH_MAX, now, claimedUntil)
  const beginUntil = claimedUntil.getTime() - 2 * MAIL_WITHIN_MS
  for (const [index, mail] of mails.entries()) {
    if (services.clock.now().getTime() > beginUntil) {
      const untried = mails.slice(index).map(({ id }) => id)
      return await releaseMails(services.database, untried)
    }
    await sendMail(services, mail)
  }
}

async function sendMail(services: Services, mail: ClaimedMail): Promise<void> {
  try {
    const composed = await composeMail(services, mail)
    if (composed === null) {
      const fault = 'It had nothing left to say when it was to be sent'
      await markMailFailed(services.database, mail.id, services.clock.now(), fault, null)
      return
    }
    const sender = senderOf(services)
    const { recipient, message } = composed
    const { subject } = message
    const text = renderText(message, sender)
    const html = renderHtml(message, sender)
    const id = `${mail.created_at.getTime()}.${mail.id}`
    await services.mailSender.send({ id, to: recipient, subject, text, html })
    const kept = services.settings.isSandbox ? { recipient, subject, text, html } : null
    await markMailSent(services.database, mail.id, services.clock.now(), kept)
  } catch (fault) {
    await putBack(services, mail, fault)
  }
}

async function putBack(services: Services, mail: ClaimedMail, fault: unknown): Promise<void> {
  const now = services.clock.now()
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (mail.attempts - 1), RETRY_MAX_MS)
  const isLast = mail.attempts >= ATTEMPTS_MAX
  const nextAttemptAt = isLast ? null : new Date(now.getTime() + waitMs)
  const facts = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts, fault }
  if (isLast) services.log.error(facts, 'A mail could not be sent for days and is given up')
  else services.log.warn({ ...facts, nextAttemptAt }, 'A mail could not be sent')
  const sentence = fault instanceof Error ? fault.message : String(fault)
  await markMailFailed(services.database, mail.id, now, sentence, nextAttemptAt)
}
