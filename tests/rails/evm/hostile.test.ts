import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operatorContract } from '#contract/operator/operations.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { listForeign, listRefunds, operator } from '#tests/kit/builders/an-operator.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import {
  aCoin,
  addressOf,
  aToken,
  CONFIRMATIONS,
  dueOf,
  readAndLook,
  startEvmApp,
} from '#tests/kit/servers/evm-app.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { report } from '#tests/kit/sweeps/sweep-app.ts'

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const MOST = 2n ** 256n - 1n
const TIMES = 30

describe('transfers that somebody makes up to do harm', () => {
  let anvil: Anvil
  let app: TestApp
  let usdt: string

  beforeAll(async () => {
    anvil = await startAnvil()
    usdt = await anvil.deployToken()
    app = await startEvmApp({ nodes: { 1: anvil.url }, tokens: [aCoin(), aToken(usdt)] })
  })
  afterEach(async () => {
    await expectInvariants(app)
    expect(app.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await anvil.stop()
  })

  it('keep no payment from being credited, however much they claim to bring', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'usdt' })
    await readAndLook(app, buyer, purchase)
    const to = addressOf(purchase)
    await anvil.send({ data: transferEmitter(to, MOST, TIMES) })
    await anvil.mine()
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'pending' })
    await anvil.transferToken(usdt, to, dueOf(purchase))
    await anvil.mine()
    await anvil.send({ data: transferEmitter(to, MOST, TIMES) })
    await anvil.mine(CONFIRMATIONS)
    await watchChains(app.services)
    const completed = await lookAt(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', tokens: purchase.tokens })

    // The tokens say that the address holds nothing of them.
    const listed = await listForeign(app, { limit: '100' })
    expect(listed.data).toHaveLength(2 * TIMES)
    expect(listed.data[0]).toMatchObject({ amount: String(MOST), is_held: false, state: 'open' })
    expect(listed.sums).toMatchObject([{ count: TIMES }, { amount: String(MOST * 30n) }])
    expect(await listRefunds(app)).toMatchObject({ data: [], owed: [] })
    const input = { params: { id: purchase.id } }
    const record = await app.client.call(operatorContract.getPurchaseRecord, input, operator)
    expect(record.status).toBe(200)
  })

  it('are no money that left, even where they name an address of ours as their sender', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'usdt' })
    await readAndLook(app, buyer, purchase)
    await anvil.send({ data: transferEmitter(addressOf(purchase), MOST, 1, addressOf(purchase)) })
    await anvil.mine()
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'pending' })
    expect(await report(app)).toMatchObject({ movements: [] })
  })
})

/** The code of a contract that logs transfers of its own token when it is created. */
function transferEmitter(to: string, amount: bigint, times: number, from = '0'): string {
  const push = (word: string) => `7f${word.replace('0x', '').padStart(64, '0')}`
  const store = `${push(amount.toString(16))}600052`
  const log = `${push(to)}${push(from)}${push(TRANSFER)}60206000a3`
  return `0x${store}${log.repeat(times)}00`
}
