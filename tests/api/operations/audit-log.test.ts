import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { auditContract } from '#contract/operator/audit.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { mailAuditHead } from '#server/use-cases/audit/mail-audit-head.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { aColleague } from '#tests/kit/builders/an-operator-person.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.close())

/** Acts `count` times; every one is a row of the log. */
async function act(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await app.client.call(operatorContract.resumeSale, { body: {} }, operator)
  }
}

const head = async () => (await app.client.call(auditContract.getAuditHead, {})).body.head

const verify = async (known?: string) => {
  const body = known === undefined ? {} : { head: known }
  return (await app.client.call(auditContract.verifyLog, { body }, operator)).body
}

/** As whoever has the password of the database, and may switch its triggers off. */
async function tamper(...statements: string[]): Promise<void> {
  await app.open.database.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  })
}

/** What the check finds is also an error in the log of the server. */
async function expectFault(kind: string, number: number, message: RegExp, known?: string) {
  const { fault, verified } = await verify(known)
  expect(fault).toMatchObject({ kind, number })
  expect(fault?.message).toMatch(message)
  expect(verified).toBeLessThanOrEqual(number)
  expect(app.complaints.splice(0)).toMatchObject([{ facts: { kind } }])
}

describe('a log as it was written', () => {
  test('is verified from end to end, and anybody can see where it ends', async () => {
    expect(await head()).toBeNull()
    expect((await verify()).verified).toBe(0)
    await act(3)
    const seen = await head()
    expect(seen).toMatchObject({ number: 4, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await verify()).toMatchObject({ verified: 4, fault: null, head: seen })
    // That it was verified is an act too.
    expect((await head())?.number).toBe(5)
    expect(await verify(seen?.hash)).toMatchObject({ verified: 5, fault: null })
  })

  test('is verified page by page', async () => {
    await act(1)
    await tamper(
      `insert into operator_actions (id, at, kind, address, act, hash)
       select id, now(), 'server', '', 'x', '\\x00' from generate_series(2, 2500) as id`,
    )
    await expectFault('put_in', 2, /^Row 2 was inserted/)
  })

  test('has its rows in one order, each with the hash that the list shows', async () => {
    await act(3)
    const { body } = await app.client.call(operatorContract.listActions, { query: {} }, operator)
    expect(body.data.map(({ id }) => id)).toEqual(['3', '2', '1'])
    expect(body.data[0]?.hash).toBe((await head())?.hash)
  })

  test('takes texts of any kind', async () => {
    const reason = 'Ω “quoted” \\ \ud800 \u2028 \t'
    await app.client.call(operatorContract.pauseSale, { body: { reason } }, operator)
    expect((await verify()).fault).toBeNull()
  })
})

describe('tampering by somebody who has the database’s password', () => {
  beforeEach(() => act(5))

  test.each([
    ['details', `details = '{"force": "true"}'`],
    ['an act', `act = 'pauseSale'`],
    ['who it was', `operator = 'Mallory'`],
    ['an instant, by a microsecond', `at = at + interval '1 microsecond'`],
    ['a hash', `hash = '\\x${'00'.repeat(32)}'`],
  ])('%s that was changed is found, with its row', async (_, change) => {
    await tamper(`update operator_actions set ${change} where id = 3`)
    await expectFault(
      'changed',
      3,
      /^Row 3 is not what the server wrote: it was changed or replaced$/,
    )
  })

  test('a row that was left out is found, also where those after it are numbered anew', async () => {
    await tamper('delete from operator_actions where id = 2')
    await expectFault('left_out', 2, /^Row 2 is missing/)
    await tamper(
      'update operator_actions set id = id + 100 where id > 2',
      'update operator_actions set id = id - 101 where id > 100',
    )
    await expectFault('changed', 2, /^Row 2 /)
  })

  test('the first row and all rows that are missing are found', async () => {
    await tamper('delete from operator_actions where id = 1')
    await expectFault('left_out', 1, /^Row 1 is missing/)
    await tamper('delete from operator_actions')
    await expectFault('cut_off', 1, /row 1 and those after it are missing$/)
  })

  test('a row that was put in is found, in between and at the end', async () => {
    const copy = `insert into operator_actions select 6, at, kind, operator_id, operator, address,
      act, purchase_id, user_id, details, hash from operator_actions where id = 5`
    await tamper(copy)
    await expectFault('put_in', 6, /^Row 6 was inserted/)
    await tamper('delete from operator_actions where id = 6')
    await tamper(
      'update operator_actions set id = id + 100 where id > 2',
      'update operator_actions set id = id - 99 where id > 100',
      copy.replace('select 6', 'select 3').replace('id = 5', 'id = 2'),
    )
    await expectFault('put_in', 3, /^Row 3 was inserted/)
  })

  test('a duplicate number is found', async () => {
    await tamper(
      'alter table operator_actions drop constraint operator_actions_pkey',
      `insert into operator_actions select * from operator_actions where id = 2`,
    )
    const found = await verify()
    // Tests share a database, and its tables.
    await tamper(
      'delete from operator_actions',
      'alter table operator_actions add primary key (id)',
    )
    expect(found.fault).toMatchObject({ kind: 'put_in', number: 2 })
    app.complaints.splice(0)
  })

  test('a chain that was made anew without the server’s key is found', async () => {
    const { rows } = await sql<{ id: bigint; text: string }>`
      select id, operator_actions::text as text from operator_actions order by id`.execute(
      app.open.database,
    )
    let hash = Buffer.alloc(32)
    const changes = rows.map(({ id, text }) => {
      hash = createHash('sha256').update(hash).update(text).digest()
      return `update operator_actions set hash = '\\x${hash.toString('hex')}' where id = ${id}`
    })
    await tamper(...changes, `update audit_head set hash = '\\x${hash.toString('hex')}'`)
    await expectFault('changed', 1, /^Row 1 is not what the server wrote/)
  })

  test('an end that was cut off is found, by the head and by its seal', async () => {
    await tamper('delete from operator_actions where id > 3')
    await expectFault('cut_off', 4, /^The log was cut off: row 4 and those after it are missing$/)
    await tamper(
      `update audit_head set number = 3, hash = (select hash from operator_actions where id = 3)`,
    )
    await expectFault('head_changed', 3, /rows at the end of the log were cut off$/)
    await tamper('delete from audit_head')
    await expectFault('head_changed', 3, /^The stored head, at row 3/)
  })

  test('an older state of the whole database is found by a head kept elsewhere', async () => {
    const stored = await sql`select number, hash, at, seal from audit_head`.execute(
      app.open.database,
    )
    const [older] = stored.rows as { number: bigint; hash: Buffer; at: Date; seal: Buffer }[]
    await act(2)
    const kept = await head()
    const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')
    await tamper(
      'delete from operator_actions where id > 5',
      `update audit_head set number = 5, at = '${older?.at.toISOString()}',
        hash = '\\x${hex(older?.hash)}', seal = '\\x${hex(older?.seal)}'`,
    )
    await expectFault('cut_off', 6, /^No row has the hash that you gave/, kept?.hash)
    // Without it nothing is missing: that is what heads are mailed and public for.
    expect((await verify()).fault).toBeNull()
  })
})

test('every owner is mailed the head once a day', async () => {
  const olive = await aColleague(app, 'Olive', 'owner')
  const gone = await aColleague(app, 'Gwen', 'owner')
  await sql`update operators set removed_at = now() where id = ${gone.id}`.execute(
    app.open.database,
  )
  await aColleague(app, 'Finn', 'finance')
  await mailAuditHead(app.services)
  await act(2)
  const mailed = async () => {
    await mailAuditHead(app.services)
    await mailAuditHead(app.services)
    await sendMails(app.services)
    return app.mailbox.taken.splice(0)
  }
  const seen = await head()
  const mails = await mailed()
  expect(mails.map(({ to }) => to)).toEqual([olive.email])
  expect(mails[0]?.subject).toMatch(/^The audit log of the .* presale: row 2$/)
  expect(mails[0]?.text).toContain(seen?.hash)
  expect(await mailed()).toEqual([])
  await app.passTime(24 * 60 * 60_000)
  expect(await mailed()).toHaveLength(1)
})

test('the list is filtered by who, act and time, and keeps its place', async () => {
  const ada = await aColleague(app, 'Ada', 'owner')
  await act(2)
  await app.passTime(60_000)
  const later = app.clock.now().toISOString()
  for (const reason of ['One', 'Two']) {
    await app.client.call(operatorContract.pauseSale, { body: { reason } }, ada.as)
    await app.client.call(operatorContract.resumeSale, { body: {} }, ada.as)
  }
  type Query = Record<'who' | 'act' | 'from' | 'to' | 'after' | 'limit', string>
  const list = async (query: Partial<Query>) =>
    (await app.client.call(operatorContract.listActions, { query }, operator)).body
  const names = async (query: Partial<Query>) => (await list(query)).data.map((each) => each.act)
  expect(await names({ who: 'ada' })).toHaveLength(4)
  expect(await names({ who: ada.id, act: 'pauseSale' })).toEqual(['pauseSale', 'pauseSale'])
  expect(await names({ to: later })).toEqual(['resumeSale', 'resumeSale'])
  expect(await names({ from: later, act: 'resumeSale' })).toHaveLength(2)
  const page = await list({ who: 'Ada', limit: '3' })
  expect(await names({ who: 'Ada', after: page.after ?? '' })).toEqual(['pauseSale'])
})
