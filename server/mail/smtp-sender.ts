import { createTransport } from 'nodemailer'

import type { Mail, MailSender } from '#server/ports/mail.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { MAIL_WITHIN_MS } from '#server/ports/mail.ts'

/** Timeouts of a mail server: to connect and greet, for one answer, for a whole mail. */
export type Patience = { connectMs: number; answerMs: number; mailMs: number }

const patience: Patience = { connectMs: 10_000, answerMs: 20_000, mailMs: MAIL_WITHIN_MS }

export function createSmtpSender(
  url: Secret,
  from: { readonly name: string; readonly address: string },
  { connectMs, answerMs, mailMs }: Patience = patience,
): MailSender & { close(): void } {
  const transport = createTransport({
    url: url.reveal(),
    // The query of the URL takes precedence: `?requireTLS=false` sends a password in the clear.
    requireTLS: new URL(url.reveal()).password !== '',
    pool: true,
    maxConnections: 2,
    // A broken connection may have delivered the mail. The outbox does the retries and counts them.
    maxRequeues: 0,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    isReal: true,
    async send(mail: Mail, signal: AbortSignal) {
      try {
        await transport.sendMail({
          from: { name: singleLine(from.name), address: from.address },
          // An object is not parsed, so that one address cannot become two.
          to: { name: '', address: mail.to },
          subject: singleLine(mail.subject),
          text: mail.text,
          html: mail.html,
          attachments: mail.pictures.map(({ cid, png }) => ({
            cid,
            content: png,
            encoding: 'base64',
            contentType: 'image/png',
            contentDisposition: 'inline',
          })),
          messageId: `<${mail.id}@${from.address.split('@')[1] ?? 'localhost'}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(mailMs)]),
        })
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        // It is logged, where the address would outlive an erasure.
        const why = message.replaceAll(new RegExp(RegExp.escape(mail.to), 'gi'), 'the address')
        throw new Unavailable(`The mail server did not take a mail (${why})`)
      }
    },
    close: () => transport.close(),
  }
}

/** Removes line breaks, so that no header can be injected. */
function singleLine(content: string): string {
  return content.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
