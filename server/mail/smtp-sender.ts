import { createTransport } from 'nodemailer'

import type { Mail, MailSender } from '#server/ports/mail.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { MAIL_WITHIN_MS } from '#server/ports/mail.ts'

/** How long a mail server may take: to connect and to greet, for one answer, for a whole mail. */
export type Patience = { connectMs: number; answerMs: number; mailMs: number }

const patience: Patience = { connectMs: 10_000, answerMs: 20_000, mailMs: MAIL_WITHIN_MS }

/** Hands mails over to the SMTP server of `url`. `from` is who they come from. */
export function createSmtpSender(
  url: Secret,
  from: { name: string; address: string },
  { connectMs, answerMs, mailMs }: Patience = patience,
): MailSender & { close(): void } {
  const transport = createTransport({
    url: url.reveal(),
    // What stands in the address wins: `?requireTLS=false` sends a password in the clear.
    requireTLS: new URL(url.reveal()).password !== '',
    pool: true,
    maxConnections: 2,
    // A connection that breaks may have handed the mail over. The outbox tries again, and counts.
    maxRequeues: 0,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail: Mail, signal: AbortSignal) {
      try {
        await transport.sendMail({
          from: { name: singleLine(from.name), address: from.address },
          // An object is never parsed: an address cannot grow into two.
          to: { name: '', address: mail.to },
          subject: singleLine(mail.subject),
          text: mail.text,
          html: mail.html,
          messageId: `<${mail.id}@${from.address.split('@')[1] ?? 'localhost'}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(mailMs)]),
        })
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause)
        throw new Unavailable(`The mail server did not take a mail (${why})`, { cause })
      }
    },
    close: () => transport.close(),
  }
}

/** A header that cannot begin another one. */
function singleLine(content: string): string {
  return content.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
