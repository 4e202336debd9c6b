import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'

import type { Schema } from '#contract/endpoint.ts'
import { csvLine } from '#domain/csv-line.ts'
import { inPlace, sendTexts } from './file-stream.ts'

/**
 * Sends rows as they are read, as a file whose name has the date: as CSV, or as one JSON array if
 * the query's `form` or `Accept` asks for that. A cell of CSV is empty if JSON has null. The first
 * batch is read before anything is sent, so that a fault there gets an error reply. A later fault
 * breaks the connection, so that no truncated reply looks complete.
 */
export async function sendRows(
  request: FastifyRequest,
  reply: FastifyReply,
  schema: Schema,
  made: AsyncGenerator<unknown[]>,
  day: string,
): Promise<FastifyReply> {
  const batches = inPlace(made)
  const isJson = asksForJson(request)
  const name = `${nounOf(request)}-${day}.${isJson ? 'json' : 'csv'}`
  const form = isJson ? jsonForm : csvForm(schema)
  const first = await batches.next()
  const mediaType = isJson
    ? 'application/json; charset=utf-8'
    : 'text/csv; charset=utf-8; header=present'
  const texts = write(form, schema, first, batches)
  return sendTexts(reply, { name, mediaType }, texts, () => void batches.return(undefined))
}

/** A link in a page uses its query, since it cannot set `Accept`. */
function asksForJson({ query, headers }: FastifyRequest): boolean {
  const form = typeof query === 'object' && query !== null && 'form' in query ? query.form : null
  if (form === 'csv' || form === 'json') return form === 'json'
  return /^application\/json\b/i.test(headers.accept ?? '')
}

/** The last word of the route, such as `purchases`. */
function nounOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url?.split('/').at(-1) ?? 'rows'
}

type Form = { begin: string; row(row: object, isFirst: boolean): string; end: string }

const jsonForm: Form = {
  begin: '[',
  row: (row, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(row)}`,
  end: '\n]\n',
}

function csvForm(schema: Schema): Form {
  const columns = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : []
  return {
    begin: csvLine(columns),
    row: (row) => csvLine(Object.values(row).map((value: unknown) => value ?? '')),
    end: '',
  }
}

async function* write(
  form: Form,
  schema: Schema,
  first: IteratorResult<unknown[], unknown>,
  batches: AsyncGenerator<unknown[]>,
): AsyncGenerator<string> {
  let isFirst = true
  yield form.begin
  for (let next = first; next.done !== true; next = await batches.next()) {
    let text = ''
    for (const given of next.value) {
      // As in every reply, undeclared fields never leave the server.
      text += form.row(z.parse(schema, given) as object, isFirst)
      isFirst = false
    }
    yield text
  }
  yield form.end
}
