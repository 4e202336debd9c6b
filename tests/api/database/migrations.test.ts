import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { migrate } from '#server/database/connection/migrate.ts'
import { tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { OPERATOR_TOKEN, startApp } from '#tests/kit/servers/start-app.ts'
import { projectRoot } from '#tools/project.ts'

const FIRST = '0001-first-schema'

/** The migrations of another version: those of this one, and what a test changes. */
let folder: string
let open: TestDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presale-migrations-'))
  const own = join(projectRoot, 'server', 'database', 'migrations')
  await cp(own, folder, { recursive: true })
  open = await openTestDatabase()
})
afterEach(async () => {
  await open.close()
  await rm(folder, { recursive: true, force: true })
})

const runThatVersion = () => migrate(open, pathToFileURL(`${folder}/`))

async function addMigration(text: string): Promise<void> {
  await mkdir(join(folder, '0002-next'), { recursive: true })
  await writeFile(join(folder, '0002-next', 'up.sql'), text)
}

async function nicknames(): Promise<unknown[]> {
  const { rows } = await sql<{ nickname: string }>`select nickname from users`.execute(
    open.database,
  )
  return rows.map(({ nickname }) => nickname)
}

const NEXT = `
  alter table users add column nickname text;
  update users set nickname = 'Dear ' || first_name;
  create table limits as
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`

describe('a new version with a migration', () => {
  test('changes what is stored, once, however many instances start, and without a limit of time', async () => {
    await manyUsers(open.database, 3)
    await sql`
      do $limits$ begin
        execute format('alter database %I set statement_timeout = 9000', current_database());
        execute format('alter database %I set lock_timeout = 9000', current_database());
      end $limits$`.execute(open.database)
    await addMigration(NEXT)
    await Promise.all([runThatVersion(), runThatVersion()])
    await runThatVersion()
    expect(await nicknames()).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^Dear /)),
    )
    const { rows } = await sql`select * from limits`.execute(open.database)
    expect(rows).toEqual([{ statement: '0', lock: '0' }])
  })

  test('leaves everything as it was where the migration fails', async () => {
    await manyUsers(open.database, 3)
    await addMigration(`${NEXT}; select 1 / 0`)
    await expect(runThatVersion()).rejects.toThrow('division by zero')
    await expect(nicknames()).rejects.toThrow('nickname')
    await migrate(open)
  })

  test('makes a database that the version before refuses, and says what to do', async () => {
    await addMigration(NEXT)
    await runThatVersion()
    await expect(migrate(open)).rejects.toThrow(
      /made by another version of this program \(it has the migration 0002-next\)\. Start that version/,
    )
  })

  test('that has changed an earlier one refuses the database, and says what to do', async () => {
    await writeFile(join(folder, FIRST, 'up.sql'), '-- Something else.')
    await expect(runThatVersion()).rejects.toThrow(
      /made by another version of this program \(with another migration 0001-first-schema\)\. Start/,
    )
  })

  test('stops an instance of the version before that still runs from selling, which says so', async () => {
    const before = await startApp({ open })
    const [buyer] = await manyUsers(open.database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    const readiness = async () => {
      before.clock.pass(1_001)
      return (await before.app.inject({ url: '/readyz' })).statusCode
    }
    await before.services.followSale()
    expect(await readiness()).toBe(200)
    expect((await tryToBuy(before, buyer)).status).toBe(201)

    await addMigration(NEXT)
    await runThatVersion()
    await before.services.followSale()
    await before.services.followSale()
    expect((await tryToBuy(before, buyer)).refusal.reason).toBe('Busy')
    expect(await readiness()).toBe(503)
    const asked = { accessToken: OPERATOR_TOKEN }
    const { body: state } = await before.client.call(operatorContract.getSaleState, {}, asked)
    expect(state.sale_file_fault).toContain('sells nothing')
    expect(
      before.complaints.map(({ message }) => message),
      'it is said once',
    ).toEqual([expect.stringMatching(/sells nothing.*Stop it, and start the new version/)])
    await before.close()
  })
})
