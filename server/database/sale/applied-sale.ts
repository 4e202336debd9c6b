import type { SaleDescription } from '#domain/sale/changes/describe-sale.ts'
import type { LedgerTransfer } from '#domain/settlement/ledger.ts'
import type { SaleHistory } from '#domain/sale/changes/sale-changes.ts'
import type { Stage } from '#domain/sale/sale.ts'
import type {
  Database,
  DatabaseTransaction,
  NamedStatements,
} from '#server/database/tables/tables.ts'

export type LockedSale = {
  firstAppliedAt: Date
  /** What was applied last; null when nothing was. */
  description: SaleDescription | null
  /** Of the file that was applied last; null when none was. */
  fileId: bigint | null
}

const NOT_APPLIED = '{}'

/**
 * Locks the sale against others that apply it or sell from it. The very first call inserts its row,
 * and a concurrent one waits for that.
 */
export async function lockAppliedSale(
  transaction: DatabaseTransaction,
  now: Date,
): Promise<LockedSale> {
  const inserted = await transaction
    .insertInto('sale')
    .values({ first_applied_at: now, applied: NOT_APPLIED, applied_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('first_applied_at')
    .executeTakeFirst()
  if (inserted !== undefined) {
    return { firstAppliedAt: inserted.first_applied_at, description: null, fileId: null }
  }
  return await transaction
    .selectFrom('sale')
    .select(['first_applied_at as firstAppliedAt', 'applied as description', 'file_id as fileId'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Stores what was applied, for the next file to be compared with, and by which file. */
export async function saveAppliedSale(
  transaction: DatabaseTransaction,
  description: SaleDescription,
  fileId: bigint,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('sale')
    .set({ applied: JSON.stringify(description), applied_at: now, file_id: fileId })
    .execute()
}

/** The id of the file that is applied; null before the first. */
export async function findAppliedFileId(database: Database): Promise<bigint | null> {
  const row = await database.selectFrom('sale').select('file_id').executeTakeFirst()
  return row?.file_id ?? null
}

/** The id of no sale file: whoever goes by it sells nothing. */
export const NO_SALE_FILE = 0n

type Followed = { file_id: bigint | null; unknown_migration: string | null }

/**
 * What each instance follows: the file that is applied, null before the first, and the first
 * migration of the database that is not among those that it knows, null if there is none.
 */
export async function findFollowed(
  statements: NamedStatements,
  knownMigrations: readonly string[],
): Promise<Followed> {
  const [row] = await statements.runNamed<Followed>(
    'find_followed',
    `select file_id, (select min(name) from migrations where name <> all ($1::text[]))
       as unknown_migration
     from sale`,
    [knownMigrations],
  )
  return row ?? { file_id: null, unknown_migration: null }
}

/**
 * The stages that ever gave tokens, the payment tokens ever used, and whether buyers have named
 * wallets or have been given streams, or still can claim them. A payment may come in a token in
 * which no purchase was made, and a late one may be granted tokens of a stage in which nobody has
 * bought.
 */
export async function findUsedParts(
  transaction: DatabaseTransaction,
): Promise<Omit<SaleHistory, 'progress' | 'hasEnded'>> {
  const parts = await transaction.selectFrom('used_parts').selectAll().execute()
  const idsOf = (kind: (typeof parts)[number]['kind']) =>
    new Set(parts.filter((part) => part.kind === kind).map(({ id }) => id))
  const wallet = await transaction.selectFrom('receiving_wallets').select('id').limit(1).execute()
  const stream = await transaction
    .selectFrom('distributions')
    .select('id')
    .where('schedule', 'is not', null)
    .where((where) =>
      where.or([
        where('state', '=', 'published'),
        where.exists(
          where
            .selectFrom('distribution_events as event')
            .select('event.distribution_id')
            .whereRef('event.distribution_id', '=', 'distributions.id')
            .where('event.place', 'is not', null),
        ),
      ]),
    )
    .limit(1)
    .execute()
  return {
    stageIds: idsOf('stage'),
    paymentTokenIds: idsOf('payment_token'),
    hasWallets: wallet.length > 0,
    hasStreams: stream.length > 0,
  }
}

/** Removes every other stage, with its counter and its opening. Buyers saw its past prices. */
export async function deleteStagesExcept(
  transaction: DatabaseTransaction,
  stages: readonly Stage[],
): Promise<void> {
  const ids = stages.map(({ id }) => id)
  const deleted = transaction.deleteFrom('stages').where('id', 'not in', ids).returning('id')
  const gone = (await deleted.execute()).map(({ id }) => id)
  if (gone.length === 0) return
  await transaction.deleteFrom('stage_counters').where('stage_id', 'in', gone).execute()
  await transaction.deleteFrom('stage_openings').where('stage_id', 'in', gone).execute()
}

/** Writes each stage as in its file; the supply is in the counters. */
export async function saveStages(
  transaction: DatabaseTransaction,
  stages: readonly Stage[],
): Promise<void> {
  await transaction
    .insertInto('stages')
    .values(
      stages.map((stage, index) => ({
        id: stage.id,
        position: index + 1,
        name: stage.name,
        type: stage.type,
        token_price: stage.tokenPrice,
        final_token_price: stage.finalTokenPrice,
        starts_at: stage.startsAt,
        ends_at: stage.endsAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        name: row.ref('excluded.name'),
        type: row.ref('excluded.type'),
        token_price: row.ref('excluded.token_price'),
        final_token_price: row.ref('excluded.final_token_price'),
        starts_at: row.ref('excluded.starts_at'),
        ends_at: row.ref('excluded.ends_at'),
      })),
    )
    .execute()
}

/** Books the supply that stages got or gave back. */
export async function insertSupplyTransfers(
  transaction: DatabaseTransaction,
  transfers: readonly LedgerTransfer[],
  at: Date,
): Promise<void> {
  if (transfers.length === 0) return
  await transaction
    .insertInto('ledger_transfers')
    .values(transfers.map((transfer) => ({ ...transfer, cause_id: null, user_id: null, at })))
    .execute()
}
