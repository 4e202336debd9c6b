import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { consoleContract } from '#contract/operator/console.ts'
import { distributionsContract } from '#contract/operator/distributions.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { aSnapshot, deliveredSale, walletOf } from '#tests/kit/delivery/a-snapshot.ts'
import {
  aDistribution,
  close,
  download,
  publish,
  withdraw,
} from '#tests/kit/delivery/distribution-calls.ts'
import { playChain, readingOf, seenAt } from '#tests/kit/delivery/played-chain.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const ONE = 10n ** 18n
const CONTRACT = walletOf(99)

let app: TestApp
beforeEach(async () => {
  app = await startApp({ changeSale: deliveredSale() })
})
afterEach(() => app.close())

async function progressOf(id: string) {
  const call = distributionsContract.getDistribution
  return (await app.client.call(call, { params: { id } }, operator)).body.progress
}

async function aPublished(through?: number): Promise<string> {
  const { id } = await aDistribution(app, {
    tool: 'plain',
    ...(through !== undefined && { through }),
  })
  await publish(app, id, { contract: CONTRACT })
  return id
}

async function ended(id: string): Promise<string> {
  await followDistributions(app.services)
  expect((await close(app, id, { sendsNothingMore: true })).body.state).toBe('closed')
  return id
}

describe('what arrives by a list that has ended', () => {
  const owner = walletOf(1).toLowerCase()

  /** All that the wallet has sent so far, of which the last was sent just now. */
  async function sent(...amounts: bigint[]) {
    await sentAt(app.clock.now(), ...amounts)
  }

  async function sentAt(at: Date, ...amounts: bigint[]) {
    const found = amounts.map((amount, nth) =>
      seenAt({ kind: 'sent', owner, receiver: owner, amount, at }, BigInt(11 + nth)),
    )
    playChain(app, { read: async () => readingOf(found) })
    await followDistributions(app.services)
  }

  const inbox = async () => {
    const query = { kind: 'late_delivery' as const }
    const { body } = await app.client.call(consoleContract.listInbox, { query }, operator)
    return body.data.map(({ id, detail }) => `${id}: ${detail}`).toSorted()
  }
  const twiceOf = (id: string, twice: number) =>
    `${id}:1: Wallets that received them: 1, ${twice} of them in another list of the same ` +
    'tokens. Those may be paid twice.'

  beforeEach(async () => {
    playChain(app)
    await aSnapshot(app, [{ tokens: 100n * ONE, wallet: walletOf(1) }])
  })

  test('is paid twice if a later list has paid it, also one that has ended since', async () => {
    const first = await ended(await aPublished())
    await app.passTime(60_000)
    const second = await aPublished()
    await sent(100n * ONE)
    await ended(second)
    expect(await inbox()).toEqual([])
    await app.passTime(60_000)
    await sent(100n * ONE, 100n * ONE)
    expect(await inbox()).toEqual([twiceOf(first, 1)])
  })

  test('is paid twice if an earlier list has paid it late', async () => {
    const first = await ended(await aPublished())
    await app.passTime(60_000)
    const second = await ended(await aPublished())
    await app.passTime(60_000)
    await sent(100n * ONE)
    expect(await inbox()).toEqual([twiceOf(first, 0)])
    await sent(100n * ONE, 100n * ONE)
    expect(await inbox()).toEqual([twiceOf(first, 1), twiceOf(second, 1)])
  })

  test('is paid twice if it was sent before a later list was made but read afterwards', async () => {
    const first = await ended(await aPublished())
    await app.passTime(60_000)
    const before = app.clock.now()
    await app.passTime(5 * 60_000)
    const second = await ended(await aPublished())
    await app.passTime(10 * 60_000)
    await sentAt(before, 100n * ONE)
    expect(await inbox()).toEqual([twiceOf(first, 0)])
    await sent(100n * ONE, 100n * ONE)
    expect(await inbox()).toEqual([twiceOf(first, 1), twiceOf(second, 1)])
  })

  test('is not paid twice by a list that was made without what had arrived', async () => {
    const first = await ended(await aPublished(0))
    await app.passTime(60_000)
    await sent(ONE)
    await app.passTime(60 * 60_000)
    await aPublished(1)
    expect(await inbox()).toEqual([twiceOf(first, 0)])
  })

  test('is not paid twice by the list of another month', async () => {
    const first = await aPublished(0)
    const second = await aPublished(1)
    await app.passTime(60_000)
    await sent(198n * 10n ** 17n)
    await ended(first)
    await ended(second)
    await sent(198n * 10n ** 17n, ONE)
    expect(await inbox()).toEqual([twiceOf(first, 0)])
  })
})

test('the files of a list that has ended are given out no more, but its manifest is', async () => {
  playChain(app)
  await aSnapshot(app, [{ tokens: 100n * ONE, wallet: walletOf(1) }])
  const statusOf = async (id: string, name: string) => (await download(app, id, name)).status
  const closed = await aPublished()
  expect(await statusOf(closed, `distribution-${closed}.plain.csv`)).toBe(200)
  await ended(closed)
  const { id: withdrawn } = await aDistribution(app, { tool: 'plain' })
  await withdraw(app, withdrawn)
  for (const id of [closed, withdrawn]) {
    const { status, text } = await download(app, id, `distribution-${id}.plain.csv`)
    expect(status).toBe(409)
    expect(text).toContain('would hand out tokens a second time')
    expect(await statusOf(id, `distribution-${id}.manifest.json`)).toBe(200)
  }
})

test('what was taken back to the wallet of a row leaves too little for the others', async () => {
  await aSnapshot(
    app,
    [1, 2].map((number) => ({ tokens: 2n * ONE, wallet: walletOf(number) })),
  )
  const { id } = await aDistribution(app, { tool: 'uniswap' })
  await publish(app, id, { contract: CONTRACT })
  const owner = walletOf(1).toLowerCase()
  const swept = seenAt({ kind: 'swept', owner, receiver: owner, amount: 3n * ONE }, 15n)
  playChain(app, { read: async () => readingOf([swept]), remaining: async () => ONE })
  await followDistributions(app.services)
  expect(await progressOf(id)).toMatchObject({ claimed: 0, swept: 2, missing_amount: '3' })
})

test('a claim of a token that keeps a fee waits for no rest', async () => {
  await aSnapshot(app, [{ tokens: 100n * ONE, wallet: walletOf(1) }])
  const { id } = await aDistribution(app, { tool: 'uniswap' })
  await publish(app, id, { contract: CONTRACT })
  const owner = walletOf(1).toLowerCase()
  const claim = { place: 0, owner, receiver: owner, claimed: 100n * ONE, amount: 99n * ONE }
  playChain(app, { read: async () => readingOf([seenAt(claim)]) })
  await followDistributions(app.services)
  expect(await progressOf(id)).toMatchObject({ delivered: 1, short: 0, arrived_amount: '99' })
})
