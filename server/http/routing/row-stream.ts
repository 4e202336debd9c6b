import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'

import type { Schema } from '#contract/endpoint.ts'
import { csvLine } from './csv-line.ts'

/** A reader occupies a database connection, so that one who stalls is disconnected. */
const STALL_MAX_MS = 10_000

/**
 * Sends rows as they are read: as CSV, or as one JSON array where `Accept` asks for that. The first
 * batch is read before anything is sent, so that a fault there gets an error reply. A later fault
 * breaks the connection off, so that no truncated reply looks complete.
 */
export async function sendRows(
  request: FastifyRequest,
  reply: FastifyReply,
  schema: Schema,
  batches: AsyncGenerator<unknown[]>,
): Promise<FastifyReply> {
  const isJson = /^application\/json\b/i.test(request.headers.accept ?? '')
  const form = isJson ? jsonForm : csvForm(schema)
  const first = await batches.next()
  const stalled = new AbortController()
  const rows = write(form, schema, first, batches)
  const stream = Readable.from(endWhereStalled(rows, stalled), {
    objectMode: false,
    signal: stalled.signal,
  })
  // Also if the client disconnected before the first row.
  stream.once('close', () => void batches.return(undefined))
  return reply
    .code(200)
    .type(isJson ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8; header=present')
    .send(stream)
}

/** Aborts where the client takes nothing for too long. */
async function* endWhereStalled(
  texts: AsyncGenerator<string>,
  stalled: AbortController,
): AsyncGenerator<string> {
  for await (const text of texts) {
    const timer = setTimeout(() => stalled.abort(), STALL_MAX_MS)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
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
    row: (row) => csvLine(Object.values(row)),
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
