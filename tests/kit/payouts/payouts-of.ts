import type { RailName } from '#domain/sale/sale.ts'
import type { Payouts, PayoutSearch } from '#server/ports/payouts.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

export function payoutsOf({ services }: TestApp, rail: RailName = 'sandbox'): Payouts {
  const payouts = services.rails.get(rail)?.payouts
  if (payouts === undefined) throw new Error(`The rail ${rail} has no payouts.`)
  return payouts
}

/** A search for payouts of which nothing is known yet. */
export const nothingElse = {
  sinceHeight: 0n,
  readHeight: 0n,
  hashes: [],
  followed: [],
  own: null,
  sights: new Map(),
  known: new Map(),
  isTaken: () => false,
} satisfies PayoutSearch
