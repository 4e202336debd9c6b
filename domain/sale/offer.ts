import type { PageLanguage } from '#domain/language.ts'
import type { Percentage } from '#domain/money.ts'
import type { Sale } from './sale.ts'

/** What the sale file tells buyers beside prices: who sells, what one gets, what can be lost. */
export type Offer = {
  seller: Seller | null
  /** Of the token that is sold; null while it is not deployed. */
  contract: TokenContract | null
  papers: readonly Paper[]
  questions: readonly Question[]
  risk: Risk | null
  /** Where the whole supply goes, 100 % in all; empty where the sale file does not tell. */
  supply: readonly SupplyShare[]
}

/** Somebody whom a buyer can look up. */
export type Seller = {
  name: string
  place: string
  /** The number in the register of the place. */
  registration: string | null
}

export type TokenContract = {
  /** Normalised (see `normalizeChain`). */
  chain: string
  address: string
  explorerUrl: string | null
}

export type Paper = {
  title: string
  url: string
  /** The day of its version, such as `2022-07-01`. */
  date: string | null
}

export type Question = { question: string; answer: string }

/** One sentence for wherever money is spent, and the points behind it. */
export type Risk = { statement: string; summary: readonly string[] }

export type SupplyShare = { label: string; share: Percentage }

/** When tokens are released: a first part at the start, the rest in equal parts, one a month. */
export type Vesting = {
  /** Null while the day is not set. */
  startsAt: Date | null
  first: Percentage
  months: number
}

/** Language to English text of the sale file to its translation. */
export type Translations = {
  readonly [language in PageLanguage]?: Readonly<Record<string, string>>
}

/** Every English text of a sale that pages show translated where its file has a translation. */
export function translatableTexts({
  project,
  stages,
  promotions,
  banners,
}: Pick<Sale, 'project' | 'stages' | 'promotions' | 'banners'>): ReadonlySet<string> {
  const { links, info, risk } = project
  const texts = [
    project.tagline,
    project.launchNotice,
    ...Object.keys(links.header),
    ...Object.entries(links.footer).flatMap(([group, inIt]) => [group, ...Object.keys(inIt)]),
    ...(info?.facts.flatMap(({ label, value, detail }) => [label, value, detail]) ?? []),
    ...(info?.sections.flatMap(({ title, paragraphs }) => [title, ...paragraphs]) ?? []),
    ...project.papers.map(({ title }) => title),
    ...project.questions.flatMap(({ question, answer }) => [question, answer]),
    ...(risk === null ? [] : [risk.statement, ...risk.summary]),
    ...project.supply.map(({ label }) => label),
    ...stages.map(({ name }) => name),
    ...promotions.flatMap(({ title, detail }) => [title, detail]),
    ...banners.flatMap(({ message, linkLabel }) => [message, linkLabel]),
  ]
  return new Set(texts.filter((text) => text !== null))
}
