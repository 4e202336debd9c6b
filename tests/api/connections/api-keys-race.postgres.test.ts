import { afterAll, beforeAll, expect, test } from 'vitest'

import { connectionsContract } from '#contract/operator/connections.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const KEYS_MAX = 100

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const make = async (name: string) => {
  const body = { name, permissions: ['sale.read' as const], days: 30 }
  const input = { headers: named, body }
  return (await app.client.call(connectionsContract.createKey, input, operator)).status
}

test('of keys that are made at the same moment, one gets the name and one the last place', async () => {
  const sameName = await Promise.all(Array.from({ length: 8 }, () => make('Bookkeeping')))
  expect(sameName.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 400)])

  for (let made = 1; made < KEYS_MAX - 1; made += 1) await make(`Key ${made}`)
  const last = await Promise.all(Array.from({ length: 8 }, (_, nr) => make(`Last ${nr}`)))
  expect(last.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
})
