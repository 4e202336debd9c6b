import { createTransport } from 'nodemailer'

import type { Mail, MailSender, Secret } from '#server/services.ts'
import { Unavailable } from '#server/services.ts'

const CONNECT_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 20_000

/** Hands mails over to the SMTP server of `url`. `from` is who they come from. */
export function createSmtpSender(
  url: Secret,
  from: { name: string; address: string },
): MailSender & { close(): void } {
  const transport = createTransport({
    url: url.reveal(),
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail: Mail) {
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
