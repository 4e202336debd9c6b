import pg from 'pg'

type Callback = (fault: Error | undefined, result: pg.QueryResult) => void
type Query = (
  question: string | pg.QueryConfig,
  values: unknown[] | undefined,
  callback: Callback,
) => void

/**
 * Lets a connection answer each query through the callback that the query is made with, after at
 * most so many milliseconds. `pg` by itself replaces the callback of a query that was already made,
 * for its promises and for its `query_timeout`; V8 then moves the rows of all results to its old
 * generation, where only a collection of the whole heap finds them.
 */
export function answerByCallback(client: pg.ClientBase, withinMs: number): void {
  const query = client.query.bind(client) as Query
  const ask: Query = (question, values, callback) => {
    const timer = setTimeout(() => {
      callback(new Error('Query read timeout'), NOTHING)
      // What comes after all must not be taken for the answer to another query.
      if (client instanceof pg.Client) void client.end()
    }, withinMs)
    query(question, values, (fault, result) => {
      clearTimeout(timer)
      callback(fault, result)
    })
  }
  client.query = ((question: string | pg.QueryConfig, values?: unknown[], callback?: Callback) => {
    if (callback !== undefined) {
      ask(question, values, callback)
      return undefined
    }
    return new Promise<pg.QueryResult>((resolve, reject) => {
      ask(question, values, (fault, result) => {
        if (fault) reject(fault)
        else resolve(result)
      })
    })
  }) as typeof client.query
}

const NOTHING: pg.QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] }
