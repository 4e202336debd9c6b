import { afterAll, beforeAll, expect, test } from 'vitest'

import { findChain } from '#server/database/rails/chains.ts'
import { mineSandboxBlocks } from '#server/database/rails/sandbox-chain.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  expectAllWell,
  lookAt,
  mine,
  part,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: quickSale })
})
afterAll(() => app.close())

/** From now on the chain is known up to an instant only; null: as far as it is. */
let knownUntil: Date | null = null

function letChainLag(): void {
  const { services } = app
  services.rails = new Map(
    [...services.rails].map(([name, rail]) => [
      name,
      {
        ...rail,
        read: async (chain: string, cursor: string | null) => {
          const reading = await rail.read(chain, cursor)
          return { ...reading, readThrough: knownUntil ?? reading.readThrough }
        },
      },
    ]),
  )
}

test('late money that is seen before the chain is read past the expiry keeps no reservation', async () => {
  const [buyer] = await manyUsers(app.open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  const purchase = await aPurchase(app, buyer)
  const [late, inTime] = [await aPurchase(app, buyer), await aPurchase(app, buyer)]
  await pay(app, inTime)
  letChainLag()
  knownUntil = new Date(purchase.created_date)
  await app.passTime(app.services.sale.purchases.expireAfterMs + 1_000)
  await pay(app, late, part(late, 1))
  expect(await lookAt(app, buyer, late)).toMatchObject({ status: 'processing' })
  const held = async (id: string) =>
    (
      await app.open.database
        .selectFrom('purchases')
        .select('held')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).held
  expect(await held(late.id)).toBeGreaterThan(0n)

  knownUntil = null
  await watchChains(app.services)
  expect(await held(late.id)).toBe(0n)
  expect(await held(inTime.id)).toBeGreaterThan(0n)
  expect(await held(purchase.id)).toBe(0n)
  expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'expired' })
  await expectAllWell(app)
})

test('a server with an older sale file records no reading, which may lack payments', async () => {
  const height = async () => (await findChain(app.open.database, 'sandbox'))?.height
  // So that nothing waits for the next block.
  await mine(app)
  const before = await height()
  app.services.saleFileId -= 1n
  await mineSandboxBlocks(app.open.database, 1, app.clock.now())
  await watchChains(app.services)
  expect(await height()).toBe(before)
  app.services.saleFileId += 1n
  await watchChains(app.services)
  expect(await height()).toBe((before ?? 0n) + 1n)
})
