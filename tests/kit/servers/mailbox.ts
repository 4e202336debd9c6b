import type { Mail, MailSender } from '#server/ports/mail.ts'
import { Unavailable } from '#domain/unavailable.ts'

/** A mail server that keeps what it accepts, and can be down. */
export type Mailbox = MailSender & { taken: Mail[]; isDown: boolean }

export function createMailbox(): Mailbox {
  const mailbox: Mailbox = {
    taken: [],
    isDown: false,
    isReal: false,
    async send(mail) {
      if (mailbox.isDown) throw new Unavailable('The mail server does not answer')
      mailbox.taken.push(mail)
    },
  }
  return mailbox
}

const LINK_TOKEN = /[?&]token=([\w-]+)/

/** The token of the link in the newest mail to an address that has one. */
export function linkTokenFor(mailbox: Mailbox, to: string): string {
  const tokens = mailbox.taken
    .filter((mail) => mail.to === to)
    .map(({ text }) => LINK_TOKEN.exec(text)?.[1])
  const token = tokens.findLast((one) => one !== undefined)
  if (token === undefined) throw new Error(`No mail with a link was sent to ${to}.`)
  return token
}
