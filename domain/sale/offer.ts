import type { Percentage } from '#domain/money.ts'

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
export type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>
