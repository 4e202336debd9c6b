import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { aUser, type RegisteredUser } from '#tests/kit/a-user.ts'
import { type EventReader, readEvents } from '#tests/kit/read-events.ts'
import { startApp, type TestApp } from '#tests/kit/start-app.ts'

let kit: TestApp
let address: string
const readers: EventReader[] = []
beforeAll(async () => {
  kit = await startApp({ app: { heartbeatMs: 50 } })
  address = await kit.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close()
})
afterAll(() => kit.close())

async function listen({ as }: RegisteredUser): Promise<EventReader> {
  const reader = await readEvents(address, as.accessToken)
  readers.push(reader)
  return reader
}

async function buy({ as }: RegisteredUser) {
  const body = { purchase_amount: 100, purchase_token_id: 'eth' }
  const reply = await kit.client.call(
    transactionsContract.createTransaction,
    { headers: {}, body },
    as,
  )
  return reply.body.data
}

describe('live events', () => {
  test('tell of a purchase from its making to its end, and of the stage it comes from', async () => {
    const user = await aUser(kit)
    const events = await listen(user)
    const made = await buy(user)
    const first = await events.next('transaction')
    expect(first.transaction).toEqual(made)

    await kit.client.call(sandboxContract.pay, {
      body: { address: made.payment_address ?? '', amount: made.payment_amount ?? '' },
    })
    await events.next('transaction', ({ transaction }) => transaction.status === 'processing')
    await kit.client.call(sandboxContract.mineBlocks, { body: { count: 2 } })
    const last = await events.next(
      'transaction',
      ({ transaction }) => transaction.status === 'completed',
    )
    expect(last.transaction.id).toBe(made.id)
    const { stage } = await events.next('stage', ({ stage: seen }) => (seen?.sold_tokens ?? 0) > 0)
    expect(stage?.name).toBe('Stage 1')
  })

  test('tell nobody of the purchases of others', async () => {
    const user = await aUser(kit)
    const other = await aUser(kit)
    const events = await listen(other)
    await buy(user)
    const own = await buy(other)
    const seen = await events.next('transaction')
    expect(seen.transaction.id).toBe(own.id)
  })

  test('end with the session', async () => {
    const user = await aUser(kit)
    const events = await listen(user)
    await kit.client.call(authContract.logout, {}, user.as)
    await expect(events.ended).resolves.toBeUndefined()
  })

  test('need a login', async () => {
    await expect(readEvents(address, 'nonsense')).rejects.toThrow('a 401 of application/json')
  })

  test('are a dozen streams at most for one user, and a closed one makes room', async () => {
    const user = await aUser(kit)
    for (let count = 0; count < 12; count += 1) await listen(user)
    await expect(listen(user)).rejects.toThrow('a 429')
    readers[0]?.close()
    await expect.poll(() => listen(user).then(() => 'open')).toBe('open')
  })

  test('do not keep the server from closing', async () => {
    const short = await startApp({ open: kit.open })
    const shortAddress = await short.app.listen({ port: 0, host: '127.0.0.1' })
    const user = await aUser(short)
    const events = await readEvents(shortAddress, user.as.accessToken)
    await short.close()
    await expect(events.ended).resolves.toBeUndefined()
  })
})
