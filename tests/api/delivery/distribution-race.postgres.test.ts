import { afterEach, beforeEach, expect, test } from 'vitest'

import { lockAuditHead } from '#server/database/books/audit-head.ts'
import { aSnapshot, deliveredSale, walletOf } from '#tests/kit/delivery/a-snapshot.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import {
  aDistribution,
  close,
  download,
  publish,
  tryToMake,
  withdraw,
} from '#tests/kit/delivery/distribution-calls.ts'
import { playChain, readingOf, seenAt } from '#tests/kit/delivery/played-chain.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'

const OWNERS = 50

let app: TestApp
beforeEach(async () => {
  app = await startApp({ changeSale: deliveredSale() })
})
afterEach(() => app.close())

test('five that are made at once hand nothing out twice', async () => {
  const owners = Array.from({ length: OWNERS }, (_, nth) => {
    return { tokens: 1_000n, wallet: walletOf(nth) }
  })
  await aSnapshot(app, owners)
  const tools = ['plain', 'uniswap', 'openzeppelin', 'safe_airdrop', 'hedgey'] as const
  const made = await Promise.all(
    tools.map((tool, nth) => tryToMake(app, { tool, ...(nth < 2 && { through: nth }) })),
  )
  const sum = made
    .filter(({ status }) => status === 201)
    .reduce((tokens, { body }) => tokens + BigInt(body.amount_base_units), 0n)
  expect(sum).toBe(BigInt(OWNERS) * 1_000n)
  const { database } = app.open
  const given = await database
    .selectFrom('distribution_parts')
    .select(({ fn }) => ['user_id', fn.sum<bigint>('tokens').as('tokens')])
    .groupBy('user_id')
    .execute()
  expect(given).toHaveLength(OWNERS)
  expect(given.every(({ tokens }) => tokens === 1_000n)).toBe(true)
})

test('a late transfer that another one turns out to wait for is not moved while one is made', async () => {
  const [owner] = await aSnapshot(app, [{ tokens: 10n, wallet: walletOf(1) }])
  const sender = { contract: walletOf(99) }
  playChain(app)
  const [first, other] = [
    await aDistribution(app, { tool: 'plain' }),
    { userId: owner?.userId ?? '', tokens: 20n, wallet: walletOf(1) },
  ]
  await publish(app, first.id, sender)
  await followDistributions(app.services)
  await close(app, first.id, { sendsNothingMore: true })
  const second = await aDistribution(app, { tool: 'plain' })
  const sent = seenAt({ owner: walletOf(1).toLowerCase(), amount: 10n })
  playChain(app, { read: async () => readingOf([sent]) })
  // The second one is sent before it is published, so that the first one gets it.
  await followDistributions(app.services)
  await publish(app, second.id, sender)
  await aSnapshot(app, [other, { tokens: 5n, wallet: walletOf(3) }])
  const { services } = app
  const { makeTree } = services
  let isFollowed = false
  Object.assign(services, {
    // Between the two readings of what is due.
    makeTree: async (...wanted: Parameters<typeof makeTree>) => {
      await followDistributions(services)
      isFollowed = true
      return await makeTree(...wanted)
    },
  })
  const third = await aDistribution(app, { tool: 'uniswap', snapshot: 2 })
  expect(isFollowed).toBe(true)
  expect(third).toMatchObject({ rows: 1, amount_base_units: '5' })
  await followDistributions(services)
  expect(await aDistribution(app, { tool: 'plain', snapshot: 2 })).toMatchObject({
    rows: 1,
    amount_base_units: '10',
  })
})

test('one that is closed while another one is made gives back after it', async () => {
  const owners = await aSnapshot(app, [
    { tokens: 10n, wallet: walletOf(1) },
    { tokens: 20n, wallet: walletOf(2) },
  ])
  const first = await aDistribution(app, { tool: 'uniswap' })
  await publish(app, first.id, { contract: walletOf(99) })
  await aSnapshot(app, [...owners, { tokens: 5n, wallet: walletOf(3) }])
  const swept = seenAt({ kind: 'swept', amount: 30n })
  playChain(app, { read: async () => readingOf([swept]) })
  const { services, open } = app
  const { makeTree } = services
  let isClosedMeanwhile = false
  Object.assign(services, {
    // Between the two readings of what is due.
    makeTree: async (...wanted: Parameters<typeof makeTree>) => {
      await followDistributions(services)
      isClosedMeanwhile = true
      return await makeTree(...wanted)
    },
  })
  const second = await aDistribution(app, { tool: 'uniswap', snapshot: 2 })
  expect(isClosedMeanwhile).toBe(true)
  expect(second).toMatchObject({ rows: 1, amount_base_units: '5' })
  const rows = await open.database
    .selectFrom('distribution_rows')
    .select('address')
    .where('distribution_id', '=', BigInt(second.id))
    .execute()
  expect(rows).toEqual([{ address: walletOf(3) }])
  await followDistributions(services)
  expect(await aDistribution(app, { tool: 'plain', snapshot: 2 })).toMatchObject({
    rows: 2,
    amount_base_units: '30',
  })
})

test('no file is handed out of one that one person withdraws at that moment', async () => {
  await aSnapshot(app, [{ tokens: 10n, wallet: walletOf(1) }])
  const { id, files } = await aDistribution(app, { tool: 'plain' })
  const { database } = app.open
  const release = await hold(database, lockAuditHead)
  // The withdrawal has seen that no file was read, and waits to be recorded.
  const withdrawing = withdraw(app, id)
  await expectWaiting(database, 1)
  const downloading = download(app, id, files[0]?.name ?? '')
  await expectWaiting(database, 2)
  await release()
  expect((await withdrawing).status).toBe(200)
  expect((await downloading).status).toBe(409)
})
