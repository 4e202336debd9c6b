import type { PageLanguage } from '#domain/language.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { type Brand, brandOf } from './brand.ts'
import type { MailTexts } from './english.ts'
import { mailTexts } from './mail-texts.ts'
import { saleText } from './sale-text.ts'

/**
 * The name of the recipient; null if the address is not verified. Otherwise anybody could register
 * with another person's address and make us send that person a text of their choice.
 */
export type Addressee = { first: string; last: string } | null

/** What every mail is written from: the recipient, the language, the sale and the time. */
export type Letter = {
  language: PageLanguage
  texts: MailTexts
  name: Addressee
  sale: Pick<Sale, 'project' | 'stages' | 'vesting' | 'translations'>
  publicUrl: string
  isSandbox: boolean
  now: Date
}

type Content = Pick<Message, keyof Head | 'parts'> & { figure?: string | null }

export function newLetter(facts: Omit<Letter, 'texts'>): Letter {
  return { ...facts, texts: mailTexts[facts.language] }
}

/** Completes a mail around its content, which includes the greeting. */
export function write(letter: Letter, { figure = null, ...content }: Content): Message {
  const { language, sale } = letter
  const brand = brandOf(sale.project)
  return { language, brand, figure, ...content, footer: footerLines(letter) }
}

type Texts = { subject: (about: string) => string; heading: string; preview?: unknown }
type Head = Pick<Message, 'subject' | 'preview' | 'heading'>

/** What a mail begins with, by its own texts: `about` completes the subject. */
export function head(texts: Texts & { preview: string }, about: string): Head
export function head(texts: Texts, about: string, preview: string): Head
export function head(texts: Texts, about: string, preview = String(texts.preview)): Head {
  return { subject: texts.subject(about), preview, heading: texts.heading }
}

/** A link to one of our pages. A mail has at most one. */
export function button({ publicUrl, texts }: Letter, label: string, path: string): MessagePart {
  return { kind: 'button', label, url: `${publicUrl}${path}`, hint: texts.letter.orOpen }
}

/** An address to pay to, or where something goes, which people compare and copy. */
export function addressPart({ texts: { receipt } }: Letter, address: string): MessagePart {
  return { kind: 'address', label: receipt.labels.address, address, plain: receipt.toCopy }
}

/** Whom to ask, with the purchase's number filled in; nothing if the sale names nobody. */
export function questions({ texts, sale }: Letter, number: string | null): MessagePart[] {
  const { contactEmail } = sale.project
  if (contactEmail === null) return []
  const { questions: before, andName, questionSubject, purchaseSubject } = texts.letter
  const subject = number === null ? questionSubject : purchaseSubject(number)
  const url = `mailto:${contactEmail}?subject=${encodeURIComponent(subject)}`
  const after = number === null ? '' : andName
  return [{ kind: 'question', before, email: contactEmail, url, after, number: number ?? '' }]
}

/** Who sells, in enough detail for a buyer to look them up; null if the sale does not say. */
export function sellerText({ texts, sale, language }: Letter): string | null {
  const { seller } = sale.project
  if (seller === null) return null
  const { name, place, registration } = seller
  const registered = registration === null ? [] : [texts.receipt.registered(registration)]
  return [name, saleText(sale, language)(place), ...registered].join(', ')
}

function footerLines(letter: Letter): string[] {
  const { texts, sale, publicUrl, isSandbox } = letter
  const seller = sellerText(letter)
  return [
    `${texts.letter.presale(sale.project.name)}, ${publicUrl}`,
    ...(seller === null ? [] : [texts.letter.soldBy(seller)]),
    texts.letter.neverAsk,
    ...(isSandbox ? [texts.letter.sandbox] : []),
  ]
}

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
