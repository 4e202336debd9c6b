import { ownerReleases, type Release } from '#domain/delivery/release.ts'
import { type OwnerHoldings, readHoldings } from '#server/database/delivery/holdings.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordReading } from '#server/use-cases/audit/record-action.ts'

export type OwnerRelease = Omit<OwnerHoldings, 'holdings'> & Release

/**
 * Every release of everybody who has tokens, in batches from one snapshot; nothing if the sale has
 * no schedule. This is personal data, so reading it is recorded.
 */
export async function exportReleases(
  services: Services,
  operator: Operator,
): Promise<AsyncGenerator<OwnerRelease[]>> {
  await recordReading(services, operator, { act: 'exportReleases' })
  return releasesOf(services)
}

async function* releasesOf({ sale, database }: Services): AsyncGenerator<OwnerRelease[]> {
  for await (const owners of readHoldings(database)) {
    yield owners.flatMap(({ holdings, ...owner }) =>
      ownerReleases(sale, holdings).map((release) => ({ ...owner, ...release })),
    )
  }
}
