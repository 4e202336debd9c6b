import { ownerReleases } from '#domain/delivery/release.ts'
import { add, tokenAmount } from '#domain/money.ts'
import { listHoldings } from '#server/database/delivery/holdings.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

/** When the caller's tokens are released, from what the ledger has for each stage. */
export async function getOwnReleases({ sale, database, clock }: Services, { userId }: Caller) {
  const holdings = await listHoldings(database, userId)
  const releases = ownerReleases(sale, holdings)
  const now = clock.now()
  return {
    startsAt: sale.vesting?.startsAt ?? null,
    total: add(tokenAmount(0n), ...holdings.map(({ tokens }) => tokens)),
    releases,
    next: releases.find(({ date }) => date === null || date > now) ?? null,
  }
}
