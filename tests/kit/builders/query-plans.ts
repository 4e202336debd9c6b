import { CompiledQuery, sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'
import { type RecordedQueries, recordQueries } from './recorded-queries.ts'
import type { TestDatabase } from '#tests/kit/servers/database.ts'

/** A statement as sent; without its values if it is prepared and planned for any. */
export type SentStatement = { sql: string; parameters: readonly unknown[] | null }

export type RecordingDatabase = {
  /** The same database, with every statement recorded. */
  open: TestDatabase
  /** What was sent since the last call, each text once. */
  take(): SentStatement[]
}

export function recordStatements(open: TestDatabase): RecordingDatabase {
  const recorded: RecordedQueries = recordQueries(open.database, '')
  const named = new Map<string, SentStatement>()
  return {
    open: {
      ...open,
      database: recorded.database,
      runNamed: (name, text, values) => {
        named.set(text, { sql: text, parameters: null })
        return open.runNamed(name, text, values)
      },
    },
    take: () => {
      const queries = recorded.queries.splice(0)
      const sent = [
        ...new Map(queries.map((query) => [query.sql, query])).values(),
        ...named.values(),
      ]
      named.clear()
      return sent
    },
  }
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

export type ReadTable = { table: string; node: string; rowsRead: number }

/**
 * How a statement reads each table. A statement that only reads is run again, and reports how many
 * rows it looks at; one that writes has only its plan, and no rows.
 */
export async function explainReads(
  database: Database,
  { sql: text, parameters }: SentStatement,
): Promise<ReadTable[]> {
  if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) return []
  const isRead = /^\s*select\b/i.test(text) && parameters !== null && !/create_purchases/.test(text)
  const options = parameters === null ? 'generic_plan' : isRead ? 'analyze' : 'costs'
  const explain = CompiledQuery.raw(`explain (${options}, format json) ${text}`, [
    ...(parameters ?? []),
  ])
  let plans: { 'QUERY PLAN': { Plan: Plan }[] }[] = []
  const undone = new Error('Nothing of it stays.')
  await database
    .transaction()
    .execute(async (transaction) => {
      await sql`set local plan_cache_mode = auto`.execute(transaction)
      plans = (await transaction.executeQuery<(typeof plans)[number]>(explain)).rows
      throw undone
    })
    .catch((fault: unknown) => {
      if (fault !== undone) throw fault
    })
  return plans.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => readsOf(Plan)))
}

function readsOf(plan: Plan): ReadTable[] {
  const { 'Relation Name': table, 'Node Type': node, Plans = [] } = plan
  const perLoop =
    (plan['Actual Rows'] ?? 0) +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0)
  const rowsRead = perLoop * (plan['Actual Loops'] ?? 0)
  const isScan = table !== undefined && node.endsWith('Scan')
  return [...(isScan ? [{ table, node, rowsRead }] : []), ...Plans.flatMap(readsOf)]
}
