import { hasSameRails } from '#domain/sale/sale.ts'
import { listMigrations } from '#server/database/connection/migrate.ts'
import { findFollowed, NO_SALE_FILE } from '#server/database/sale/applied-sale.ts'
import { findAppliedFile } from '#server/database/sale/sale-files.ts'
import type { Services } from '#server/services.ts'
import { createBatcher } from './batcher.ts'

/** All who wait share one look-up, so this bound only limits memory. */
const WAITING_MAX = 10_000

/**
 * Follows the applied sale file, whichever instance applied it: reads it, builds what it needs, and
 * swaps the sale, its file's id and the rails in `services` in one step. Calls during a look-up
 * share the next one, so that each sees what was committed before it. Never throws for a file that
 * cannot be followed: that is logged once, and tried again each time. Once a newer version has
 * migrated the database, no file is followed.
 */
export function createSaleFollower(live: () => Services): Services['followSale'] {
  const knownMigrations = listMigrations()
  let unfollowed: bigint | null = null

  const look = async (): Promise<void> => {
    const services = live()
    const { database, statements, saleFiles, log } = services
    const followed = await findFollowed(statements, knownMigrations)
    if (followed.unknown_migration !== null) {
      return stopSelling(services, followed.unknown_migration)
    }
    if (followed.file_id === services.saleFileId) return
    const applied = await findAppliedFile(database)
    if (applied === null) return
    const { id, text } = applied.file
    const fail = (facts: Record<string, unknown>) => {
      if (unfollowed === id) return
      unfollowed = id
      log.error(
        { ...facts, saleFileId: String(id) },
        'This instance cannot use the sale file that is applied, and sells nothing until it ' +
          'can. Compare its version, its settings and the pictures beside its sale file with ' +
          'those of the other instances',
      )
    }
    const reading = saleFiles.read(text, applied.firstAppliedAt)
    if (!reading.ok) return fail({ faults: reading.faults })
    const { sale } = reading
    const missing = saleFiles.listMissing(sale)
    if (missing.length > 0) return fail({ missing })
    try {
      const isSame = hasSameRails(sale, services.sale)
      const rails = isSame ? services.rails : await saleFiles.buildRails(sale)
      Object.assign(services, { sale, saleFileId: id, rails })
    } catch (error) {
      return fail({ error })
    }
    log.info({ saleFileId: String(id) }, 'Another sale file was applied, and is used from now on')
    services.market.invalidate()
    for (const kind of ['sale', 'stage', 'prices'] as const) services.live.notifyLocal({ kind })
  }

  const lookOnce = createBatcher<null, null>({
    batchMax: WAITING_MAX,
    waitingMax: WAITING_MAX,
    run: async (questions) => {
      await look()
      return questions.map(() => null)
    },
  })
  return async () => {
    await lookOnce(null)
    return { ...live() }
  }
}

function stopSelling(services: Services, unknownMigration: string): void {
  if (services.saleFileId === NO_SALE_FILE) return
  services.saleFileId = NO_SALE_FILE
  services.log.error(
    { unknownMigration },
    'Another version of this program has changed the database, which this one does not know any ' +
      'more, so this instance sells nothing. Stop it, and start the new version',
  )
}
