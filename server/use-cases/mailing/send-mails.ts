import {
  type Claim,
  type ClaimedMail,
  claimMail,
  markMailFailed,
  markMailSent,
  type SentMail,
} from '#server/database/books/outbox.ts'
import type { Mail } from '#server/ports/mail.ts'
import type { Services } from '#server/services.ts'
import { hasCurrentSale } from '#server/use-cases/sale/require-current-sale.ts'
import { composeMail } from './compose-mail.ts'
import { type HeldMail, holdMail, newClaim } from './hold-mail.ts'
import { LOGO_CID, renderHtml } from './texts/render-html.ts'
import { renderText } from './texts/render-text.ts'

/** One step every half second makes fifty mails a second, the most that mail relays accept. */
const BATCH_MAX = 25
const FIRST_RETRY_MS = 5_000
const RETRY_MAX_MS = 60 * 60_000
/** With an hour between the later ones, about three days. */
const ATTEMPTS_MAX = 80
/** Enough for a restart of the database: a sent mail has to be marked as sent. */
const MARK_TRIES_MAX = 20
const MARK_AGAIN_AFTER_MS = 500

/**
 * Sends the oldest mails that are due. Each is claimed only just before it is sent, so no instance
 * holds mails that it is not sending. A mail that cannot be sent is retried at growing intervals.
 * No database transaction is open during sending. Once `stop` is aborted, no other is begun. An
 * instance that cannot follow the applied sale file leaves the mails to those that can: it would
 * take one about a token or a delivery that it does not know for obsolete.
 */
export async function sendMails(services: Services, stop?: AbortSignal): Promise<void> {
  for (let sent = 0; sent < BATCH_MAX; sent += 1) {
    if (stop?.aborted === true) return
    if (!(await hasCurrentSale(services, services.database))) return
    const claim = newClaim(services)
    const mail = await claimMail(services.database, claim, services.clock.now())
    if (mail === null) return
    const held = holdMail(services, mail.id, claim)
    try {
      await sendMail(services, mail, claim, held)
    } finally {
      held.letGo()
    }
  }
}

async function sendMail(services: Services, mail: ClaimedMail, claim: Claim, held: HeldMail) {
  const composing = await compose(services, mail).catch((fault: unknown) => ({ fault }))
  if ('fault' in composing) return await putBack(services, mail, claim, composing.fault)
  const { sent, pictures } = composing
  if (sent === null) return await giveUp(services, mail, claim)
  try {
    // Another instance may have taken it over while this process was suspended.
    if (!(await held.confirm())) return logTakenOver(services, mail)
    const { recipient: to, subject, text, html } = sent
    const id = `${mail.created_at.getTime()}.${mail.id}`
    await services.mailSender.send({ id, to, subject, text, html, pictures }, held.lost)
  } catch (fault) {
    if (held.lost.aborted) return logTakenOver(services, mail)
    return await putBack(services, mail, claim, fault)
  }
  await markSent(services, mail, sent)
}

/** `sent` is null if the mail is obsolete. */
async function compose(
  services: Services,
  mail: ClaimedMail,
): Promise<{ sent: SentMail | null; pictures: Mail['pictures'] }> {
  const composed = await composeMail(services, mail)
  if (composed === null) return { sent: null, pictures: [] }
  const { recipient, message } = composed
  const { subject, brand } = message
  return {
    sent: { recipient, subject, text: renderText(message), html: renderHtml(message) },
    pictures: brand.logo === null ? [] : [{ cid: LOGO_CID, png: brand.logo.png }],
  }
}

async function markSent(services: Services, mail: ClaimedMail, sent: SentMail): Promise<void> {
  // Anybody can read a sandbox's mailbox, and an operator's invitation would let them in.
  const isShown = services.settings.isSandbox && !services.mailSender.isReal
  const kept = isShown && mail.user_id !== null ? sent : null
  for (let tries = 1; ; tries += 1) {
    try {
      await markMailSent(services.database, mail.id, services.clock.now(), kept)
      return
    } catch (fault) {
      // It is not put back, or it would be sent twice.
      if (tries === MARK_TRIES_MAX) throw fault
      await new Promise((resolve) => setTimeout(resolve, MARK_AGAIN_AFTER_MS))
    }
  }
}

function logTakenOver({ log }: Services, { id, kind }: ClaimedMail): void {
  log.warn(
    { mailId: id, kind },
    'Another instance has taken over a mail: this one was suspended or lost the database',
  )
}

async function giveUp(services: Services, mail: ClaimedMail, { owner }: Claim): Promise<void> {
  await markMailFailed(services.database, mail.id, owner, {
    now: services.clock.now(),
    fault: 'It was out of date by the time it was to be sent',
    nextAttemptAt: null,
  })
}

async function putBack(services: Services, mail: ClaimedMail, { owner }: Claim, fault: unknown) {
  const now = services.clock.now()
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (mail.attempts - 1), RETRY_MAX_MS)
  const isLast = mail.attempts >= ATTEMPTS_MAX
  const nextAttemptAt = isLast ? null : new Date(now.getTime() + waitMs)
  const { id: mailId, user_id: userId, kind, attempts } = mail
  const facts = { mailId, userId, kind, attempts, fault }
  if (isLast) services.log.error(facts, 'A mail could not be sent for days and was given up')
  else services.log.warn({ ...facts, nextAttemptAt }, 'A mail could not be sent')
  const sentence = fault instanceof Error ? fault.message : String(fault)
  const failure = { now, fault: sentence, nextAttemptAt, isGivenUp: isLast }
  await markMailFailed(services.database, mail.id, owner, failure)
}
