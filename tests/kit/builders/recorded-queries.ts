import type { CompiledQuery, KyselyPlugin, RootOperationNode } from 'kysely'
import { CompiledQuery as Query, createQueryId } from 'kysely'

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
      const query = compile(database, node)
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

function compile(database: Database, node: RootOperationNode): CompiledQuery {
  return database.getExecutor().compileQuery(node, createQueryId())
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

export type Scan = { node: string; rowsRead: number }

/** Runs a query again, and reports how each table was read. */
export async function explainScans(
  database: Database,
  { sql, parameters }: CompiledQuery,
): Promise<Scan[]> {
  const explain = Query.raw(`explain (analyze, format json) ${sql}`, [...parameters])
  const { rows } = await database.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain)
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scansOf(Plan)))
}

function scansOf(plan: Plan): Scan[] {
  const perLoop = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  const own =
    plan['Relation Name'] === undefined
      ? []
      : [{ node: plan['Node Type'], rowsRead: perLoop * plan['Actual Loops'] }]
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)]
}
