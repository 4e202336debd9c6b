/**
 * Loaded into a server before it starts, with `node --import`, so that the product knows nothing of
 * it: records what the server is doing in its database, in a form that outlives it, and kills the
 * server at the point that `DEATH_POINT` describes. The record is in the file `BLACK_BOX`.
 */
import { PGlite } from '@electric-sql/pglite'
import { openSync, writeSync } from 'node:fs'
import pg from 'pg'

import { type DeathPoint, NOTHING_DONE, textOfBox } from './black-box.ts'

type Step = { text: string; isDeadly: boolean }
/** What has happened in the transaction of a connection. */
type Connection = { isOpen: boolean; isWithin: boolean }

const file = openSync(process.env['BLACK_BOX'] ?? '/dev/null', 'r+')
const point = JSON.parse(process.env['DEATH_POINT'] ?? 'null') as DeathPoint | null
const statement = point === null ? null : new RegExp(point.statement, 'i')
const within = point?.within === undefined ? null : new RegExp(point.within, 'i')
const box = { ...NOTHING_DONE }
let passed = 0

function write(): void {
  writeSync(file, textOfBox(box), 0)
}

function die(): void {
  box.diedAt = point?.name ?? null
  write()
  process.kill(process.pid, 'SIGKILL')
}

/** Notes that a statement is about to be sent, and kills the server if it must not be sent. */
function begin(connection: Connection, text: string): Step {
  if (/^\s*begin/i.test(text)) {
    if (!connection.isOpen) box.transactions += 1
    Object.assign(connection, { isOpen: true, isWithin: false })
  }
  if (within?.test(text) === true) connection.isWithin = true
  const fits = statement?.test(text) === true && (within === null || connection.isWithin)
  if (fits) passed += 1
  const isDeadly = fits && passed === point?.nth
  box.statements += 1
  box.seen += 1
  write()
  if (isDeadly && point.moment === 'before') die()
  return { text, isDeadly }
}

function sent({ isDeadly }: Step): void {
  if (isDeadly && point?.moment === 'sent') die()
}

function answered(connection: Connection, { text, isDeadly }: Step): void {
  box.statements -= 1
  if (/^\s*(commit|rollback)\s*;?\s*$/i.test(text) && connection.isOpen) {
    box.transactions -= 1
    connection.isOpen = false
  }
  write()
  if (isDeadly && point?.moment === 'answered') die()
}

watchPostgres()
watchEmbedded()

function watchPostgres(): void {
  const connections = new WeakMap<object, Connection>()
  const connectionOf = (client: object) => {
    const known = connections.get(client) ?? { isOpen: false, isWithin: false }
    connections.set(client, known)
    return known
  }
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function (this: object, ...given) {
    const connection = connectionOf(this)
    const step = begin(connection, textOf(given[0]))
    const callback = given.at(-1)
    if (typeof callback === 'function') {
      given[given.length - 1] = (...results: unknown[]) => {
        answered(connection, step)
        return callback(...results) as unknown
      }
    }
    const result = query.apply(this, given)
    sent(step)
    if (result instanceof Promise) {
      const end = () => answered(connection, step)
      result.then(end, end)
    }
    return result
  }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}

/** It is spoken to in the protocol of PostgreSQL, message by message, on one connection. */
function watchEmbedded(): void {
  const connection: Connection = { isOpen: false, isWithin: false }
  let step: Step | null = null
  const { execProtocolRawSync } = PGlite.prototype
  PGlite.prototype.execProtocolRawSync = function (message) {
    const kind = String.fromCharCode(message[0] ?? 0)
    if (kind === 'Q' || kind === 'P') step = begin(connection, textIn(message, kind))
    const answer = execProtocolRawSync.call(this, message)
    if (step === null) return answer
    if (kind === 'Q' || kind === 'E') sent(step)
    // What was executed outside of a transaction is committed by the Sync that follows.
    if (kind === 'Q' || kind === 'S') {
      answered(connection, step)
      step = null
    }
    return answer
  }
}

const HEAD_BYTES = 5

/** The text of a Query or a Parse, which has the statement's name before it. */
function textIn(message: Uint8Array, kind: 'Q' | 'P'): string {
  const parts = Buffer.from(message.subarray(HEAD_BYTES)).toString('utf8').split('\0')
  return parts[kind === 'Q' ? 0 : 1] ?? ''
}
