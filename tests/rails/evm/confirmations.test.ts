import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aPurchase, expectAllWell, refundsOf } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { aCoin, addressOf, dueOf, readAndLook, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const FEW = 3
const MANY = 8
const ON_POLYGON = 6

describe('the confirmations of a payment on an EVM chain', () => {
  let ethereum: Anvil
  let polygon: Anvil
  let app: TestApp

  beforeAll(async () => {
    ethereum = await startAnvil()
    polygon = await startAnvil(137)
    app = await startEvmApp({
      nodes: { 1: ethereum.url, 137: polygon.url },
      tokens: [aCoin()],
      environment: {
        EVM_CONFIRMATIONS_1: `${FEW} 10000:${MANY}`,
        EVM_CONFIRMATIONS_137: `2 10000:${ON_POLYGON}`,
      },
    })
  })
  afterEach(async () => {
    await expectAllWell(app)
  })
  afterAll(async () => {
    await app.close()
    await ethereum.stop()
    await polygon.stop()
  })

  it('are those of what came, not of what was asked for', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    expect(purchase.required_confirmations).toBe(FEW)
    await ethereum.send({ to: addressOf(purchase), value: dueOf(purchase) * 1_000n })
    await ethereum.mine(FEW)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({
      status: 'processing',
      confirmations: FEW,
      required_confirmations: MANY,
      receipts: [{ confirmations: FEW, required_confirmations: MANY }],
    })
    await ethereum.mine(MANY - FEW - 1)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    await ethereum.mine()
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({
      status: 'completed',
      confirmations: MANY,
      required_confirmations: MANY,
    })
  })

  it('rise with a second payment for that payment alone', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await ethereum.send({ to: addressOf(purchase), value: dueOf(purchase) / 2n })
    await ethereum.mine()
    await readAndLook(app, buyer, purchase)
    await ethereum.send({ to: addressOf(purchase), value: dueOf(purchase) * 1_000n })
    await ethereum.mine(FEW)
    const waiting = await readAndLook(app, buyer, purchase)
    expect(waiting).toMatchObject({
      status: 'processing',
      confirmations: FEW,
      required_confirmations: MANY,
    })
    const needed = waiting.receipts.map((receipt) => receipt.required_confirmations)
    expect(new Set(needed)).toEqual(new Set([FEW, MANY]))
    await ethereum.mine(MANY - FEW)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
  })

  it('are of the chain that it came on, and the most there for another asset', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await polygon.send({ to: addressOf(purchase), value: 5n })
    await polygon.mine(ON_POLYGON - 1)
    await readAndLook(app, buyer, purchase)
    expect(await refundsOf(app, purchase)).toEqual([])
    await polygon.mine()
    await readAndLook(app, buyer, purchase)
    expect(await refundsOf(app, purchase)).toEqual([{ amount: 5n, why: 'wrong_asset' }])
  })
})
