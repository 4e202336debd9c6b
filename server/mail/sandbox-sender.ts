import type { MailSender } from '#server/ports/mail.ts'

/** Sends nothing: what the outbox keeps of a mail is the sandbox's mailbox. */
export const sandboxSender: MailSender = { send: async () => {} }
