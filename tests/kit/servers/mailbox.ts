import type { Mail, MailSender } from '#server/ports/mail.ts'
import { Unavailable } from '#domain/unavailable.ts'

/** A mail server that keeps what it accepts, and can be down. */
export type Mailbox = MailSender & { taken: Mail[]; isDown: boolean }

export function createMailbox(): Mailbox {
  const mailbox: Mailbox = {
    taken: [],
    isDown: false,
    async send(mail) {
      if (mailbox.isDown) throw new Unavailable('The mail server does not answer')
      mailbox.taken.push(mail)
    },
  }
  return mailbox
}

/** The token of the link in the newest mail to an address. */
export function linkTokenFor(mailbox: Mailbox, to: string): string {
  const mail = mailbox.taken.findLast((one) => one.to === to)
  const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`No mail with a link was sent to ${to}.`)
  return token
}
