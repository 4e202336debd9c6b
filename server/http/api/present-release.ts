import { instantToWire, orNull } from '#contract/codec.ts'
import type { Release as WireRelease } from '#contract/delivery/releases.ts'
import type { Release } from '#domain/delivery/release.ts'
import { formatDecimal } from '#domain/money.ts'
import type { Project } from '#domain/sale/sale.ts'

/** A release in whole tokens. */
export function presentRelease(
  { months, date, tokens, released }: Release,
  { decimals }: Pick<Project, 'decimals'>,
): WireRelease {
  return {
    month: months,
    date: orNull(date, instantToWire),
    tokens: formatDecimal(tokens, decimals),
    released: formatDecimal(released, decimals),
  }
}
