import { afterAll, beforeAll, expect, test } from 'vitest'

import { peopleContract } from '#contract/operator/people.ts'
import { lockAuditHead } from '#server/database/books/audit-head.ts'
import { expectAllWell } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('somebody who is erased while their data is exported is exported whole, or not at all', async () => {
  const { client, open } = app
  const { user, email } = await aUser(app)
  const input = { params: { id: user.id }, headers: named }
  const release = await hold(open.database, lockAuditHead)
  const exporting = client.call(peopleContract.exportPerson, input, operator)
  await expectWaiting(open.database, 1)
  const erasing = client.call(peopleContract.erasePerson, { ...input, body: { email } }, operator)
  await expectWaiting(open.database, 2)
  await release()
  // The data is collected after the lock, when the other may be faster.
  const exported = await exporting
  const reply = exported.status === 200 ? 'everything' : exported.refusal.message
  expect(['everything', 'This user has just been erased']).toContain(reply)
  expect((await erasing).status).toBe(204)
  await expectAllWell(app)
})
