import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { aPurchase, lookAt, pay } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { readEvents } from '#tests/kit/servers/read-events.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const BACK_WITHIN_MS = 2_000

let app: TestApp
let elsewhere: TestApp
beforeAll(async () => {
  app = await startApp()
  elsewhere = await startApp({ open: app.open })
})
afterAll(async () => {
  await elsewhere.close()
  await app.close()
})

const killListeners = () =>
  sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'token-presale live updates' and datname = current_database()`.execute(
    app.open.database,
  )

test('a page gets events again within two seconds after the database dropped the listening connection', async () => {
  const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const [buyer] = await manyUsers(app.open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  const before = await readEvents(address, buyer.as.accessToken)
  const purchase = await aPurchase(app, buyer)
  await before.next('transaction')

  const killedAt = performance.now()
  await killListeners()
  // Sent while nobody listens: the page has to connect again, and then fetches everything.
  await pay(elsewhere, purchase)
  await before.ended
  const after = await readEvents(address, buyer.as.accessToken)
  expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'processing' })
  await aPurchase(elsewhere, buyer, { usd: 50 })
  await after.next('transaction', ({ transaction }) => transaction.id !== purchase.id)
  expect(performance.now() - killedAt).toBeLessThan(BACK_WITHIN_MS)
  after.close()
})
