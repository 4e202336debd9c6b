import { ownerReleases, type Release } from '#domain/delivery/release.ts'
import { add, type TokenAmount, tokenAmount } from '#domain/money.ts'
import { listHoldings } from '#server/database/delivery/holdings.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

export type OwnReleases = {
  /** Null until it is set, and if the sale has no schedule. */
  startsAt: Date | null
  total: TokenAmount
  /** Empty if the sale has no schedule. */
  releases: readonly Release[]
  /** The first future release; null if there is none. */
  next: Release | null
}

/** When the caller's tokens are released, from what the ledger has for each stage. */
export async function getOwnReleases(services: Services, { userId }: Caller): Promise<OwnReleases> {
  const { sale, database, clock } = services
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
