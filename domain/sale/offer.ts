import type { Percentage } from '#domain/money.ts'

/** What the sale file tells buyers besides prices: who sells, what they get, what can be lost. */
export type Offer = {
  seller: Seller | null
  /** Of the token that is sold; null while it is not deployed. */
  contract: TokenContract | null
  papers: readonly Paper[]
  questions: readonly Question[]
  risk: Risk | null
  /** Where the whole supply goes, 100 % in all; empty if the sale file does not say. */
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

/**
 * Everything at the start; a part at a cliff and the rest in equal monthly parts; a first part and
 * the rest in equal monthly parts; or tranches as the sale file lists them.
 */
export const releaseShapes = ['instant', 'cliff', 'linear', 'tranches'] as const
export type ReleaseShape = (typeof releaseShapes)[number]

/** What is released this many calendar months (UTC) after the start, which is month 0. */
export type Tranche = { months: number; percentage: Percentage }

/** In how many parts tokens are released, and how long after the start. */
export type ReleaseSchedule = {
  shape: ReleaseShape
  /**
   * Months are in ascending order; each percentage is above 0, and together they are exactly 100 %.
   */
  tranches: readonly Tranche[]
}

/** When the tokens that are bought are released. */
export type Vesting = ReleaseSchedule & {
  /** Null while the day is not set. */
  startsAt: Date | null
}

/** Language to English text of the sale file to its translation. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>
