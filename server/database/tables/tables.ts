import type {
  Insertable,
  Kysely,
  Selectable,
  Transaction as KyselyTransaction,
  Updateable,
} from 'kysely'
import type { AccountTables } from './account-tables.ts'
import type { DeliveryTables } from './delivery-tables.ts'
import type { GatewayTables } from './gateway-tables.ts'
import type { OperatorTables } from './operator-tables.ts'
import type { RailTables } from './rail-tables.ts'
import type { RefundTables } from './refund-tables.ts'
import type { SaleTables } from './sale-tables.ts'

export type Tables = AccountTables &
  SaleTables &
  RefundTables &
  RailTables &
  GatewayTables &
  DeliveryTables &
  OperatorTables

/** A row as it is read, as it is written first, and what may be changed of it. */
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>
export type InsertedRow<Name extends keyof Tables> = Insertable<Tables[Name]>
export type RowChanges<Name extends keyof Tables> = Updateable<Tables[Name]>

/** Used outside of a transaction. What must happen together takes a {@link DatabaseTransaction}. */
export type Database = Kysely<Tables>
export type DatabaseTransaction = KyselyTransaction<Tables>

/** Statements that run often: each is parsed and planned once on each connection. */
export type NamedStatements = {
  /** Runs one statement that is prepared once on each connection, under its name. */
  runNamed<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}
