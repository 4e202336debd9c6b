import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { AccountTables } from './account-tables.ts'
import type { GatewayTables } from './gateway-tables.ts'
import type { RailTables } from './rail-tables.ts'
import type { SaleTables } from './sale-tables.ts'

export type Tables = AccountTables & SaleTables & RailTables & GatewayTables

/** Outside of a transaction. What must happen together takes a {@link DatabaseTransaction}. */
export type Database = Kysely<Tables>
export type DatabaseTransaction = KyselyTransaction<Tables>
