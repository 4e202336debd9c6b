export type Mail = {
  /** The same at each attempt, so that mailboxes recognise duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** Those that the HTML shows, each by its `cid`; a PNG as base64. */
  pictures: readonly { cid: string; png: string }[]
}

/** The longest that sending one mail may take. */
export const MAIL_WITHIN_MS = 60_000

export type MailSender = {
  /** Whether mails leave the server. A sandbox shows everybody those that do not. */
  isReal: boolean
  /**
   * Sends one mail, once. Throws `Unavailable` if that failed, or if it is unknown whether it
   * worked: the next attempt has the same id, by which mailboxes recognise duplicates. Aborts on
   * `signal`.
   */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}
