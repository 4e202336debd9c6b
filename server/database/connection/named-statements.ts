import { CompiledQuery } from 'kysely'

import type { DatabaseTransaction, NamedStatements } from '#server/database/tables/tables.ts'

/** Named statements inside a transaction, where they are not prepared. */
export function namedStatementsOf(transaction: DatabaseTransaction): NamedStatements {
  return {
    runNamed: async <Row>(_name: string, text: string, values: readonly unknown[]) => {
      const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...values]))
      return rows as Row[]
    },
  }
}
