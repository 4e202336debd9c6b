import { type CompiledQuery, createQueryId, type KyselyPlugin } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'

export type RecordedQueries = {
  /** The same database, with its queries of one kind recorded. */
  database: Database
  queries: CompiledQuery[]
  /** How many rows the recorded queries have returned so far. */
  rows(): number
}

/** Records the queries that name a table. */
export function recordQueries(database: Database, table: string): RecordedQueries {
  const queries: CompiledQuery[] = []
  const ours = new Set<unknown>()
  let rows = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const query = database.getExecutor().compileQuery(node, createQueryId())
      if (query.sql.includes(table)) {
        queries.push(query)
        ours.add(queryId)
      }
      return node
    },
    transformResult: async ({ queryId, result }) => {
      if (ours.has(queryId)) rows += result.rows.length
      return result
    },
  }
  return { database: database.withPlugin(plugin), queries, rows: () => rows }
}
