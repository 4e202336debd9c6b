export type Mail = {
  /** The same at each try, so that a mailbox can tell a repeat. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** The longest that handing one mail over may take, whatever the mail server does. */
export const MAIL_WITHIN_MS = 60_000

export type MailSender = {
  /**
   * Hands one mail over, once. Throws `Unavailable` where that was not possible, and where it is
   * not known whether it was: then the next try has the same id, by which mailboxes tell a repeat.
   * Breaks off where `signal` says so.
   */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}
