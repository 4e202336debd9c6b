import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { openDatabase } from '#server/database/connection/open-database.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { runOnServer } from '#tests/kit/servers/postgres-databases.ts'
import { type EventReader, readEvents } from '#tests/kit/servers/read-events.ts'
import {
  buyFrom,
  callInstance,
  type Instance,
  mineAt,
  payAt,
  type Reply,
  type ServerFleet,
  startFleet,
} from '#tests/kit/servers/server-fleet.ts'
import {
  type OwnPostgresServer,
  startPostgres,
  unsafeButFast,
} from '#tools/testing/start-postgres.ts'

const BUYERS = 6
const ROUNDS = 25
const RESTARTS = 3

let postgres: OwnPostgresServer
let fleet: ServerFleet
let instances: [Instance, Instance]
let buyers: SeededUser[]
beforeAll(async () => {
  postgres = await startPostgres(unsafeButFast)
  fleet = await startFleet(postgres.url)
  instances = [await fleet.start(), await fleet.start()]
  const open = await openDatabase({ kind: 'postgres', url: postgres.url })
  buyers = await manyUsers(open.database, BUYERS)
  await open.close()
})
afterAll(async () => {
  await fleet.close()
  await postgres.stop()
})

const endConnections = () =>
  runOnServer(
    postgres.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'token-presale%'`,
  )

type Calls = {
  /** How many of them succeeded so far. */
  succeeded: number
  /** What a caller must never see. */
  wrong: unknown[]
  stop(): Promise<void>
}

/** Buyers at both instances who buy, pay and look without a pause. */
function keepCalling(): Calls {
  const calling = { isOver: false }
  const calls = { succeeded: 0, wrong: [] as unknown[] }
  const note = <Body>(reply: Reply<Body>): Body | null => {
    if (reply.status < 300) {
      calls.succeeded += 1
      return reply.body
    }
    const isLater = reply.status === 503 && Number(reply.retryAfter) > 0
    if (!isLater) calls.wrong.push(reply)
    return null
  }
  const callOn = async (buyer: SeededUser, instance: Instance) => {
    while (!calling.isOver) {
      const bought = note(await buyFrom(instance, buyer))
      if (bought !== null) note(await payAt(instance, bought.data))
      note(await mineAt(instance))
      note(await callInstance(instance, 'GET', '/stages/active'))
      note(await callInstance(instance, 'GET', `/users/${buyer.id}`, { user: buyer }))
    }
  }
  const all = Promise.all(
    buyers.map((buyer, index) => callOn(buyer, instances[index % 2 === 0 ? 0 : 1])),
  )
  // A call without an answer is reported where the test waits for the end of all calls.
  all.catch(() => {})
  return Object.assign(calls, {
    stop: async () => {
      calling.isOver = true
      await all
    },
  })
}

/** Waits until calls succeed again. */
async function untilServed(calls: Calls): Promise<void> {
  const before = calls.succeeded
  const waited = { timeout: 30_000, interval: 20 }
  await vi.waitUntil(() => calls.succeeded > before || instances.some(hasEnded), waited)
  expectAlive()
}

/** Both instances hear live changes again; who came before that is sent to connect once more. */
async function untilHeard(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const listening = async () => {
    const { rows } = await client.query(
      `select from pg_stat_activity where application_name = 'token-presale live updates'
        and state = 'idle' and query <> ''`,
    )
    return rows.length
  }
  await expect.poll(listening, { timeout: 20_000 }).toBe(instances.length)
  await client.end()
}

/** A purchase at each instance is made, paid, settled by a worker and heard of at the other. */
async function expectSelling(): Promise<void> {
  await untilHeard()
  const [one, other] = instances
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    const [buyer] = buyers
    if (buyer === undefined) throw new Error('There is no buyer.')
    const events: EventReader = await readEvents(there.address, buyer.as.accessToken)
    const bought = await buyFrom(here, buyer)
    expect(bought.status).toBe(201)
    const { id } = bought.body.data
    await events.next('transaction', ({ transaction }) => transaction.id === id)
    expect((await payAt(here, bought.body.data)).status).toBe(201)
    await events.next(
      'transaction',
      ({ transaction }) => transaction.id === id && transaction.status === 'processing',
    )
    expect((await mineAt(here)).status).toBe(200)
    await events.next(
      'transaction',
      ({ transaction }) => transaction.id === id && transaction.status === 'completed',
    )
    events.close()
  }
}

const hasEnded = ({ process }: Instance) => process.exitCode !== null || process.signalCode !== null

function expectAlive(): void {
  for (const instance of instances) expect(hasEnded(instance), instance.err()).toBe(false)
}

describe('instances whose PostgreSQL', () => {
  test('ends all their connections again and again go on, and ask callers to try again', async () => {
    const calls = keepCalling()
    for (let round = 0; round < ROUNDS; round += 1) {
      await untilServed(calls)
      await endConnections()
      expectAlive()
    }
    await untilServed(calls)
    await calls.stop()
    expect(calls.wrong).toEqual([])
    expectAlive()
    await expectSelling()
  }, 120_000)

  test('is restarted under calls go on as soon as it is back', async () => {
    const calls = keepCalling()
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await untilServed(calls)
      await postgres.restart()
      expectAlive()
    }
    await untilServed(calls)
    await calls.stop()
    expect(calls.wrong).toEqual([])
    expectAlive()
    await expectSelling()
  }, 120_000)
})
