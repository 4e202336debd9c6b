import type { PageLanguage } from '#domain/language.ts'
import type { Brand } from './brand.ts'

/** The content of a mail, before it is rendered as HTML and as plain text. */
export type Message = {
  language: PageLanguage
  brand: Brand
  subject: string
  /** The line that mailboxes show beside the subject. */
  preview: string
  heading: string
  /** The one figure that the mail is about; null where it is about none. */
  figure: string | null
  parts: readonly MessagePart[]
  /** Below every mail. */
  footer: readonly string[]
}

export type MessagePart =
  | { kind: 'text'; text: string }
  /** Whom to ask, and what to name: a sentence whose last word stays in one piece. */
  | { kind: 'question'; before: string; email: string; url: string; after: string; number: string }
  /** `hint` introduces the address that the button opens, for programs that show no buttons. */
  | { kind: 'button'; label: string; url: string; hint: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  /** `plain` introduces the address once more, as it is copied. */
  | { kind: 'address'; label: string; address: string; plain: string }

export type Fact = {
  label: string
  value: string
  /** Where the value leads to. */
  url?: string | null
  /** Of a sum below its parts. */
  isTotal?: boolean
  /** An address or a hash, of which people compare groups of digits. */
  isAddress?: boolean
}

export const text = (content: string): MessagePart => ({ kind: 'text', text: content })

export const facts = (...entries: readonly (Fact | null)[]): MessagePart => ({
  kind: 'facts',
  facts: entries.filter((entry) => entry !== null),
})

export const fact = (label: string, value: string): Fact => ({ label, value })

/** A fact that a sale or a purchase may not have. */
export const factOf = (label: string, value: string | null): Fact | null =>
  value === null ? null : { label, value }
