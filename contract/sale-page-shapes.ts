import { releaseShapes } from '#domain/sale/offer.ts'
import { stageStatusNames, stageTypes } from '#domain/sale/sale.ts'
import * as z from 'zod/mini'
import { Instant, WireAmount } from './values.ts'

/** What pages show besides the project itself: its stages, who sells, and what can be lost. */

const releaseSchedule = {
  /**
   * `instant`: everything at the start. `cliff`: only a first part until a cliff, then equal
   * monthly parts. `linear`: the same from the start on. `tranches`: as listed.
   */
  shape: z.enum(releaseShapes),
  /**
   * This many calendar months (UTC) after the start, on its day and at its time of day, or on the
   * last day of a month that is too short. The percentages add up to 100.
   */
  tranches: z.array(z.object({ months: z.int(), percentage: z.number() })),
}

/** How tokens are released, counted from the sale's common start. */
export const ReleaseSchedule = z.object(releaseSchedule)
export type ReleaseSchedule = z.output<typeof ReleaseSchedule>

/** A stage, with the prices of its first and last token, and the current one. */
export const ListedStage = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(stageTypes),
  token_price: WireAmount,
  /** What its last token costs; the same if the type is `fixed`. */
  final_token_price: WireAmount,
  /** What a token costs after the sales so far. */
  current_token_price: WireAmount,
  total_tokens: WireAmount,
  sold_tokens: WireAmount,
  /** Whether what is left of it, if anything, is worth less than a cent. */
  is_sold_out: z.boolean(),
  start_date: Instant,
  end_date: z.nullable(Instant),
  /** At most one stage is `active` or `paused`. */
  status: z.enum(stageStatusNames),
  /** How its tokens are released; null if the project's schedule applies. */
  vesting: z.nullable(ReleaseSchedule),
})
export type ListedStage = z.output<typeof ListedStage>

/** Who sells: a name and a place that a buyer can look up. */
export const Seller = z.object({
  name: z.string(),
  place: z.string(),
  /** The number in that place's register. */
  registration: z.nullable(z.string()),
})

export const TokenContract = z.object({
  chain: z.string(),
  address: z.string(),
  explorer_url: z.nullable(z.url()),
})

export const Paper = z.object({
  title: z.string(),
  url: z.url(),
  /** The date of its version, such as `2022-07-01`. */
  date: z.nullable(z.string()),
})

export const Question = z.object({ question: z.string(), answer: z.string() })

/** One sentence, shown wherever money is spent, and the points behind it. */
export const Risk = z.object({ statement: z.string(), summary: z.array(z.string()) })

/** A share of the whole supply; the shares add up to 100 %. */
export const SupplyShare = z.object({ label: z.string(), percentage: z.number() })

/** When and how all tokens are released. */
export const Vesting = z.object({
  /** Null until the day is set. */
  start_date: z.nullable(Instant),
  ...releaseSchedule,
})
export type Vesting = z.output<typeof Vesting>

/** For each language, the English texts of the sale file with their translations. */
export const Translations = z.record(z.string(), z.record(z.string(), z.string()))
