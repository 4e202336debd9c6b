import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { aPurchase, expectAllWell, mailsOf, part } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import {
  aCoin,
  addressOf,
  CONFIRMATIONS,
  dueOf,
  readAndLook,
  startEvmApp,
} from '#tests/kit/servers/evm-app.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { parseDecimal } from '#domain/money.ts'

const MINUTE_MS = 60_000
const GRACE_SECONDS = 90

/** Of a transfer on an EVM chain nobody knows when it was sent, but only when it was mined. */
describe('the end of the time to pay on an EVM chain', () => {
  let anvil: Anvil
  let app: TestApp
  let buyer: RegisteredUser

  beforeAll(async () => {
    anvil = await startAnvil()
    app = await startEvmApp({
      nodes: { 1: anvil.url },
      tokens: [aCoin()],
      environment: { EVM_GRACE_SECONDS_1: String(GRACE_SECONDS) },
      expireAfterMs: MINUTE_MS,
    })
    buyer = await aUser(app)
  })
  afterEach(async () => {
    await expectAllWell(app)
  })
  afterAll(async () => {
    await app.close()
    await anvil.stop()
  })

  /** Lets time pass for the server and for the chain, which mines a block at its end. */
  async function pass(ms: number): Promise<void> {
    await app.passTime(ms)
    await refreshPrices(app.services)
    const seconds = Math.floor(app.clock.now().getTime() / 1000)
    await anvil.rpc('evm_setNextBlockTimestamp', [seconds])
    await anvil.mine()
  }
  const look = (purchase: Transaction) => readAndLook(app, buyer, purchase)
  const heldOf = async ({ id }: Transaction) => {
    const purchases = app.open.database.selectFrom('purchases').select('held')
    return (await purchases.where('id', '=', id).executeTakeFirstOrThrow()).held
  }

  it('takes what was sent in time and mined a moment later at the price that was promised', async () => {
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await pass(MINUTE_MS + 30_000)
    expect(await look(purchase)).toMatchObject({ status: 'processing', status_reason: null })
    await anvil.mine(CONFIRMATIONS - 1)
    const completed = await look(purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
    expect(completed.expires_date).toBe(purchase.expires_date)
  })

  it('holds the tokens meanwhile, and lets them go once such a payment would be mined', async () => {
    const purchase = await aPurchase(app, buyer)
    await pass(MINUTE_MS + 1_000)
    expect(await look(purchase)).toMatchObject({ status: 'pending' })
    expect(await heldOf(purchase)).toBeGreaterThan(0n)
    await pass(GRACE_SECONDS * 1_000)
    expect(await look(purchase)).toMatchObject({ status: 'expired', status_reason: null })
    expect(await heldOf(purchase)).toBe(0n)
    expect(await mailsOf(app, purchase)).toEqual(['purchase_created', 'purchase_expired'])
  })

  it('adds up a part that was mined in time and the rest that was mined a moment later', async () => {
    const purchase = await aPurchase(app, buyer)
    const half = parseDecimal(part(purchase, 0.5), 18) ?? 0n
    await anvil.send({ to: addressOf(purchase), value: half })
    await anvil.mine(CONFIRMATIONS)
    expect(await look(purchase)).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) - half })
    await pass(MINUTE_MS + 60_000)
    await anvil.mine(CONFIRMATIONS - 1)
    const completed = await look(purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
  })

  it('calls what is mined after that late', async () => {
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await pass(MINUTE_MS + GRACE_SECONDS * 1_000 + 5_000)
    expect(await look(purchase)).toMatchObject({ status: 'processing', status_reason: 'late' })
    await anvil.mine(CONFIRMATIONS - 1)
    expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: 'late' })
  })
})
