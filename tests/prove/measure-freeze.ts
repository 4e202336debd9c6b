/**
 * Measures what closing the books takes: `node tests/prove/measure-freeze.ts <url of a PostgreSQL
 * server> [purchases]`. It makes a database there with a sale that is over, in which so many
 * purchases were paid by a quarter as many people, freezes it, and throws it away. Prints how long
 * the console's look at the snapshots takes before and after, and the freeze itself, with the most
 * memory that the server had by then, and the longest that another call waited meanwhile.
 */
import { json } from 'node:stream/consumers'
import type pg from 'pg'

import { type MeasuredServer, onMeasuredServer, print } from './measured-server.ts'
import { growDatabase } from './speed/grow.ts'

const [serverUrl = '', count = '1000000'] = process.argv.slice(2)
/** Four in five of its purchases are paid, and everybody has five. */
const PEOPLE = Math.round(Number(count) / 4)
/** Longer than the shipped sale is on. */
const AGO_DAYS = 400
const TRY_AGAIN_MS = 5_000
const TRIES_MAX = 30

type Report = { undecided?: { sentence: string }[]; owned?: string; message?: string }
type Frozen = { leaves?: number; owners?: number; root?: string; message?: string }

await onMeasuredServer(serverUrl, { fill }, measure)

async function fill(client: pg.Client): Promise<void> {
  await growDatabase(client, { users: PEOPLE, seed: 1, say: print })
  await client.query(
    `update sale set first_applied_at = first_applied_at - interval '${AGO_DAYS} days'`,
  )
}

async function measure(server: MeasuredServer): Promise<void> {
  await waitUntilDecided(server)
  await look(server, 'a look before')
  const waits = server.askAllTheTime()
  const beganAt = performance.now()
  const frozen = (await json(await server.call('/freeze', {}))) as Frozen
  if (frozen.root === undefined) throw new Error(frozen.message)
  server.report(`frozen, ${frozen.leaves} leaves of ${frozen.owners} people`, beganAt)
  print(`another call waited ${Math.round(await waits.stop())} ms at most`)
  await look(server, 'a look after')
}

/** Its chain is read, and its books are checked, within a minute. */
async function waitUntilDecided(server: MeasuredServer): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { undecided, message } = (await json(await server.call('/snapshots'))) as Report
    if (undecided?.length === 0) return
    if (tries === TRIES_MAX) throw new Error(undecided?.[0]?.sentence ?? message)
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
  }
}

async function look(server: MeasuredServer, what: string): Promise<void> {
  const beganAt = performance.now()
  const { owned, message } = (await json(await server.call('/snapshots'))) as Report
  server.report(`${what}, ${owned ?? message} tokens`, beganAt)
}
