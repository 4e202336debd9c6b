import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'

import { databaseUrl, runOnServer } from '#tests/kit/servers/postgres-databases.ts'
import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'

/** It has to be quoted in SQL. */
let role: string
/** The database, for its owner and for the role. */
let ownerUrl: string
let roleUrl: string
let servers: ServerProcess[]

beforeEach(async () => {
  const { serverUrl } = inject('postgres')
  const suffix = randomBytes(6).toString('hex')
  role = `Presale-${suffix}`
  const database = `presale_rights_${suffix}`
  await runOnServer(serverUrl, `create role "${role}" login password 'secret'`)
  await runOnServer(serverUrl, `create database ${database}`)
  ownerUrl = databaseUrl(serverUrl, database)
  const url = new URL(ownerUrl)
  url.username = role
  url.password = 'secret'
  roleUrl = url.href
  servers = []
})
afterEach(async () => {
  for (const server of servers) {
    server.process.kill('SIGKILL')
    await server.ended
  }
  const { serverUrl } = inject('postgres')
  await runOnServer(serverUrl, `drop database ${new URL(ownerUrl).pathname.slice(1)} with (force)`)
  await runOnServer(serverUrl, `drop role if exists "${role}", "${role} before"`)
})

async function start(url: string): Promise<ServerProcess> {
  const server = await startServerOnFreePort({
    DATABASE_URL: url,
    SECRET_KEY: 'a secret key for tests, and for nothing else',
  })
  servers.push(server)
  return server
}

/** Starts as the role, which fails, and returns the statement that the error says to run. */
async function statementToRun(beginning: string): Promise<string> {
  const server = await start(roleUrl)
  expect(await server.ended, server.out()).toBe(1)
  expect(server.err()).not.toMatch(/^\s+at |node:internal/m)
  expect(server.err()).not.toContain('secret@')
  expect(server.err()).toContain(`The user "${role}" of DATABASE_URL may not`)
  const statement = new RegExp(`${beginning} [^;]*;`).exec(server.err())?.[0]
  if (statement === undefined) throw new Error(`Nothing to run is said: ${server.err()}`)
  return statement
}

/** Starts as the role, which works, and returns its output. */
async function outputOfStart(): Promise<string> {
  const server = await start(roleUrl)
  await server.opened
  return server.out()
}

/** The tables are made, and belong to another user. */
async function startAsAnother(): Promise<void> {
  const other = `${role} before`
  const { serverUrl } = inject('postgres')
  await runOnServer(serverUrl, `create role "${other}" login password 'secret'`)
  await runOnServer(ownerUrl, 'grant create on schema public to public')
  const url = new URL(ownerUrl)
  url.username = other
  url.password = 'secret'
  const before = await start(url.href)
  await before.opened
  before.process.kill('SIGTERM')
  await before.ended
}

test.each(['GRANT', 'ALTER DATABASE'])(
  'a start as a user who owns nothing prints the %s that lets the next one open',
  async (beginning) => {
    await runOnServer(ownerUrl, await statementToRun(beginning))
    expect(await outputOfStart()).toContain('Database: PostgreSQL')
  },
  90_000,
)

test('a start as a user who may not even look into the schema gives the same advice', async () => {
  await runOnServer(ownerUrl, 'revoke all on schema public from public')
  await runOnServer(ownerUrl, await statementToRun('GRANT'))
  expect(await outputOfStart()).toContain('Database: PostgreSQL')
}, 90_000)

test('a start on tables of another user explains how to take them over', async () => {
  await startAsAnother()

  await runOnServer(ownerUrl, await statementToRun('REASSIGN OWNED'))
  expect(await outputOfStart()).toContain('Database: PostgreSQL')
}, 90_000)

test('a start as a user who may not connect prints the GRANT that lets it', async () => {
  const database = new URL(ownerUrl).pathname.slice(1)
  await runOnServer(ownerUrl, `revoke connect on database ${database} from public`)
  await runOnServer(ownerUrl, 'grant create on schema public to public')
  await runOnServer(ownerUrl, await statementToRun('GRANT CONNECT'))
  expect(await outputOfStart()).toContain('Database: PostgreSQL')
}, 90_000)

test('a start as a user who may only look at the tables prints the GRANT for the rest', async () => {
  await startAsAnother()

  await runOnServer(ownerUrl, `grant select on all tables in schema public to "${role}"`)
  await runOnServer(ownerUrl, await statementToRun('GRANT SELECT,'))
  expect(await outputOfStart()).toContain('Database: PostgreSQL')
}, 90_000)
