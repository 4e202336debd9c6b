import { afterEach, beforeEach, expect, test } from 'vitest'

import { listTransactions } from '#server/database/sweeps/sweeps.ts'
import type { Sweeping } from '#server/ports/sweeping.ts'
import { carrySweeps } from '#server/use-cases/sweeps/carry-sweeps.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { anOpenSweep } from '#tests/kit/sweeps/an-open-sweep.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(async () => {
  expect(app.complaints).toEqual([])
  await app.close()
})

/** Plays a chain on which nothing is mined; `send` says what its nodes answer. */
function playSending(send: (raw: string) => Promise<string | null>): void {
  const unasked = async () => await Promise.reject(new Error('Nobody asks this'))
  const sweeping: Sweeping = {
    fingerprint: 'key',
    payer: 'payer',
    chains: [{ name: 'a chain', chainId: 1, treasury: 'treasury' }],
    look: unasked,
    gasOf: unasked,
    nonces: unasked,
    read: unasked,
    refusal: unasked,
    send: (_, raw) => send(raw),
    find: async () => new Map(),
    isReplaced: async () => false,
  }
  Object.assign(app.services.rails.get('sandbox') ?? {}, { sweeping })
}

const statesOf = async (id: string) =>
  (await listTransactions(app.open.database, id)).map(({ state, fault }) => [state, fault])

test('what one instance has sent is not sent again by a slower one, and stays sent', async () => {
  const id = await anOpenSweep(app.open.database)
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sent: string[] = []
  playSending(async (raw) => {
    const isRepeated = sent.includes(raw)
    sent.push(raw)
    if (raw === 'signed 0') {
      begun.resolve()
      await released.promise
    }
    return isRepeated ? 'in words that nobody expects' : null
  })
  const slower = carrySweeps(app.services)
  await begun.promise
  await carrySweeps(app.services)
  released.resolve()
  await slower
  expect(sent).toEqual(['signed 0', 'signed 1'])
  expect(await statesOf(id)).toEqual([
    ['sent', null],
    ['sent', null],
  ])
})

test('what a node refuses waits, and says how to go on', async () => {
  const id = await anOpenSweep(app.open.database)
  playSending(async (raw) =>
    raw === 'signed 0' ? 'InsufficientFunds, Account balance: 0' : 'transaction underpriced',
  )
  await carrySweeps(app.services)
  expect(await statesOf(id)).toMatchObject([
    ['waiting', expect.stringContaining('sender 0 has too little for the fee')],
    ['waiting', expect.stringContaining('The node does not take it yet: transaction underpriced')],
  ])
})
