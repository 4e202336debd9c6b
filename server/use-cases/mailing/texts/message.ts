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
  /** The one figure that the mail is about; null if there is none. */
  figure: string | null
  parts: readonly MessagePart[]
  /** Below every mail. */
  footer: readonly string[]
}

export type MessagePart =
  | { kind: 'text'; text: string }
  /** Whom to ask, and what to quote: a sentence whose last word is never broken across lines. */
  | { kind: 'question'; before: string; email: string; url: string; after: string; number: string }
  /** `hint` introduces the button's address, for programs that show no buttons. */
  | { kind: 'button'; label: string; url: string; hint: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  /** `plain` introduces the address in one piece, for copying. */
  | { kind: 'address'; label: string; address: string; plain: string }

export type Fact = {
  label: string
  value: string
  /** Where the value links to. */
  url?: string | null
  /** For a sum below its parts. */
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

/** A fact that not every sale or purchase has. */
export const factOf = (label: string, value: string | null): Fact | null =>
  value === null ? null : { label, value }
