/** The content of a mail, before it is rendered as HTML and as plain text. */
export type Message = {
  subject: string
  /** The line that mailboxes show beside the subject. */
  preview: string
  heading: string
  parts: readonly MessagePart[]
}

export type MessagePart =
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'facts'; facts: readonly { label: string; value: string }[] }

/** The sender of a mail. */
export type Sender = { projectName: string; publicUrl: string; isSandbox: boolean }

/**
 * The first name of the recipient; null where the address is not verified. Otherwise anybody could
 * register with another person's address and have us send that person a text.
 */
export type Addressee = string | null

export const hello = (name: Addressee): MessagePart =>
  text(name === null ? 'Hello,' : `Hello ${name},`)

export const text = (content: string): MessagePart => ({ kind: 'text', text: content })

export const button = (label: string, url: string): MessagePart => ({ kind: 'button', label, url })

export const facts = (...entries: readonly (readonly [string, string])[]): MessagePart => ({
  kind: 'facts',
  facts: entries.map(([label, value]) => ({ label, value })),
})

/** Below every mail. */
export function footerLines({ projectName, publicUrl, isSandbox }: Sender): string[] {
  return [
    `${projectName} presale, ${publicUrl}`,
    'We never ask for your password or for a payment to an address that is not shown on our site.',
    ...(isSandbox ? ['This is a sandbox: payments, prices and this mail are simulated.'] : []),
  ]
}
