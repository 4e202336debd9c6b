import type { MailSender } from '#server/services.ts'

/** Sends nothing: what the outbox keeps of a mail is the sandbox's mailbox. */
export const sandboxSender: MailSender = { send: async () => {} }
