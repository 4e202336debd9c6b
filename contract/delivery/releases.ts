import * as z from 'zod/mini'

import { DecimalString, Instant } from '#contract/values.ts'
import { endpoint } from '#contract/endpoint.ts'

export const Release = z.object({
  /** How many calendar months (UTC) after the start; 0 is the start itself. */
  month: z.int(),
  /** Null while the start is not set. */
  date: z.nullable(Instant),
  /** What is released on this date, in whole tokens; all releases add up to the owner's tokens. */
  tokens: DecimalString,
  /** What is released from this date on: this release and all earlier ones. */
  released: DecimalString,
})
export type Release = z.output<typeof Release>

const OwnReleases = z.object({
  /** When releases start; null until that is set, or if the sale has no schedule. */
  start_date: z.nullable(Instant),
  /** All of the caller's tokens, released or not. */
  total: DecimalString,
  /** In order; empty without tokens, or if the sale has no schedule. */
  releases: z.array(Release),
  /** The first future release; null if there is none. */
  next: z.nullable(Release),
})
export type OwnReleases = z.output<typeof OwnReleases>

export const releasesContract = {
  getOwnReleases: endpoint({
    method: 'GET',
    path: '/releases',
    access: 'user',
    summary:
      'Returns when the caller’s tokens are released: each stage’s by its schedule, all on one ' +
      'calendar, exact to the last digit.',
    result: OwnReleases,
  }),
}
