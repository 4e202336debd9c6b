import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aPurchase, balanceOf, expectInvariants } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil, transferCall } from '#tests/kit/servers/anvil.ts'
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

const MINUTE_MS = 60_000

describe('a reorganisation of an EVM chain', () => {
  let anvil: Anvil
  let app: TestApp
  let usdt: string
  let payer: string
  /** By so much the clock that only goes forward is ahead. */
  let passed = 0

  beforeAll(async () => {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    anvil = await startAnvil()
    usdt = await anvil.deployToken()
    payer = await anvil.deployPayer()
    await anvil.mine(5)
    app = await startEvmApp({ nodes: { 1: anvil.url }, tokens: [aCoin(), aToken(usdt)] })
  })
  let snapshot: string
  beforeEach(async () => {
    snapshot = await anvil.rpc('evm_snapshot')
  })
  afterEach(async () => {
    await expectInvariants(app)
    const expected = 'A reorganisation replaced blocks. They are read again'
    expect(app.complaints.splice(0).filter(({ message }) => message !== expected)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await anvil.stop()
    vi.restoreAllMocks()
  })

  /** The chain goes on from where the test began, in other blocks. */
  async function startAgain(blocks: number): Promise<void> {
    await anvil.rpc('evm_revert', [snapshot])
    await anvil.rpc('evm_increaseTime', [7])
    if (blocks > 0) await anvil.mine(blocks)
  }

  it('takes a payment back that is not confirmed yet', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine()
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    await startAgain(2)
    const gone = await readAndLook(app, buyer, purchase)
    expect(gone).toMatchObject({ status: 'pending', status_reason: 'reorged', receipts: [] })
    expect(gone.payment_amount).toBe(purchase.payment_amount)
  })

  it('knows a payment again that comes in another block, at another place of it', async () => {
    const buyer = await aUser(app)
    const other = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'usdt' })
    const beside = await aPurchase(app, other, { token: 'usdt' })
    // From an account of its own, so that the very same transaction can come again.
    const [, account = ''] = await anvil.rpc<string[]>('eth_accounts')
    await anvil.transferToken(usdt, account, 2n * dueOf(purchase))
    await anvil.mine()
    const before = await anvil.rpc<string>('evm_snapshot')
    const data = transferCall(addressOf(purchase), dueOf(purchase))
    const payFrom = () => anvil.send({ from: account, to: usdt, data, gasPrice: '0xee6b2800' })
    const hash = await payFrom()
    await anvil.mine()
    const seen = await readAndLook(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'processing' })

    await anvil.rpc('evm_revert', [before])
    await anvil.rpc('evm_increaseTime', [5])
    await anvil.transferToken(usdt, addressOf(beside), dueOf(beside))
    await anvil.mine()
    await anvil.transferToken(usdt, addressOf(beside), 1n)
    expect(await payFrom()).toBe(hash)
    await anvil.mine(CONFIRMATIONS)
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.receipts.map(({ id }) => id)).toEqual(seen.receipts.map(({ id }) => id))
    expect(await readAndLook(app, other, beside)).toMatchObject({ status: 'completed' })
  })

  it('takes tokens back after completion, and credits what is paid again', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    expect(await balanceOf(app, buyer)).toBe(purchase.tokens.total)

    await startAgain(CONFIRMATIONS + 2)
    const gone = await readAndLook(app, buyer, purchase)
    expect(gone).toMatchObject({ status: 'pending', status_reason: 'reorged' })
    expect(await balanceOf(app, buyer)).toBe(0)

    await anvil.call(payer, 'pay', [[addressOf(purchase)]], dueOf(purchase))
    await anvil.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    expect(await balanceOf(app, buyer)).toBe(purchase.tokens.total)
  })

  it('takes back what a contract had sent, and counts it once where it comes again', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const payByContract = () => anvil.call(payer, 'pay', [[addressOf(purchase)]], dueOf(purchase))
    await payByContract()
    await anvil.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    await startAgain(1)
    await payByContract()
    await anvil.mine(CONFIRMATIONS)
    const again = await readAndLook(app, buyer, purchase)
    expect(again).toMatchObject({ status: 'completed' })
    expect(again.receipts).toHaveLength(1)
    expect(await balanceOf(app, buyer)).toBe(purchase.tokens.total)
  })

  it('may be hundreds of blocks deep', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.mine(50)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(900)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    await startAgain(1_000)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'pending' })
    expect(await balanceOf(app, buyer)).toBe(0)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
  })

  it('by the node’s own means, of every depth', async () => {
    for (const depth of [1, 2, CONFIRMATIONS, CONFIRMATIONS + 1, 12]) {
      const buyer = await aUser(app)
      const purchase = await aPurchase(app, buyer)
      await anvil.mine(12 - CONFIRMATIONS)
      await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
      await anvil.mine(CONFIRMATIONS)
      expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
      await anvil.rpc('anvil_reorg', [depth, []])
      await anvil.mine()
      const { status } = await readAndLook(app, buyer, purchase)
      expect({ depth, status }).toEqual({
        depth,
        status: depth < CONFIRMATIONS ? 'completed' : 'pending',
      })
    }
  })

  it('is believed of a shorter chain only when that has been shown for a minute', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(CONFIRMATIONS + 4)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    await startAgain(2)
    for (let reading = 0; reading < 3; reading += 1) {
      expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    }
    passed += MINUTE_MS
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({
      status: 'pending',
      status_reason: 'reorged',
    })
  })

  it('waits for a node that has only fallen behind', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(CONFIRMATIONS + 4)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    await anvil.rpc('anvil_rollback', [CONFIRMATIONS + 4])
    for (let reading = 0; reading < 3; reading += 1) {
      expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    }
    expect(app.complaints.splice(0)).toMatchObject([
      { message: 'A node has fewer blocks than were already read. The server waits for it' },
    ])
    await anvil.rpc('evm_increaseTime', [9])
    await anvil.mine(CONFIRMATIONS + 8)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'pending' })
  })
})
