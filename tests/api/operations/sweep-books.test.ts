import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweepsContract } from '#contract/operator/sweeps.ts'
import { cryptoAmount } from '#domain/money.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import { recordMovements } from '#server/database/sweeps/movements.ts'
import { inspectInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { aPurchase, mine, pay } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(async () => {
  await app.close()
})

/** Ether, or a token, that left a purchase's address in a block of the simulated chain. */
async function leave(
  address: string,
  amount: bigint,
  height: bigint,
  asset = { paymentTokenId: 'eth', fee: cryptoAmount(1n) },
): Promise<void> {
  const movement = {
    kind: 'out' as const,
    transactionHash: `0x${'ab'.repeat(32)}`,
    index: 0,
    address,
    counterparty: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ...asset,
    amount: cryptoAmount(amount),
    blockHeight: height,
    sentAt: app.clock.now(),
  }
  await app.open.database
    .transaction()
    .execute((transaction) =>
      recordMovements(transaction, 'sandbox', { above: height - 1n, found: [movement] }),
    )
}

test('the guard finds an address from which more left than came, fees included', async () => {
  const purchase = await aPurchase(app, await aUser(app))
  await pay(app, purchase)
  await mine(app, 20)
  const { database } = app.open
  const { amount } = await database
    .selectFrom('receipts')
    .select('amount')
    .executeTakeFirstOrThrow()
  const address = purchase.payment_address ?? ''
  await leave(address, amount - 1n, 5n)
  expect(await listBrokenInvariants(database)).toEqual([])
  await inspectInvariants(app.services)
  await leave(address, amount, 5n)
  const fault = `From the address of purchase ${purchase.id} left 1 eth more than came to it on sandbox`
  expect(await listBrokenInvariants(database)).toEqual([fault])
  // It is found within a minute, when only what has changed is checked.
  expect(JSON.stringify((await inspectInvariants(app.services)).breaches)).toContain(fault)
  const readAgain = (above: bigint) =>
    database
      .transaction()
      .execute((transaction) => recordMovements(transaction, 'sandbox', { above, found: [] }))
  await readAgain(5n)
  expect(await listBrokenInvariants(database), 'its block was not read again').toEqual([fault])
  // A reorganisation takes it back.
  await readAgain(4n)
  expect(await listBrokenInvariants(database)).toEqual([])
  await expect(database.deleteFrom('sweep_movements').execute()).rejects.toThrow('append-only')
})

/** What the sale did not take when it came: by the contract, and held by the address. */
async function sendForeign(address: string, contract: string, amount: bigint): Promise<void> {
  await sendSandboxTransfer(app.open.database, {
    transactionHash: `sandbox-${randomUUID()}`,
    address,
    paymentTokenId: null,
    foreign: { name: contract.toLowerCase(), token: { symbol: 'USDT', isHeld: true } },
    amount: cryptoAmount(amount),
    sentAt: app.clock.now(),
  })
  await mine(app, 2)
}

const usdt = { paymentTokenId: 'usdt', fee: cryptoAmount(0n) }
const USDT_CONTRACT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

test('what came of a token before the sale took it may leave its address later', async () => {
  const { payment_address: address } = await aPurchase(app, await aUser(app))
  const { database } = app.open
  await sendForeign(address ?? '', USDT_CONTRACT, 60n)
  await sendForeign(address ?? '', USDT_CONTRACT, 40n)
  await leave(address ?? '', 100n, 5n, usdt)
  expect(await listBrokenInvariants(database)).toEqual([])
  await leave(address ?? '', 101n, 5n, usdt)
  expect(await listBrokenInvariants(database)).toMatchObject([
    expect.stringContaining('left 101 usdt more than came'),
  ])
})

test('a stranger’s token lets no more of a coin, or of another token, leave an address', async () => {
  const { payment_address: address } = await aPurchase(app, await aUser(app))
  const { database } = app.open
  await sendForeign(address ?? '', `0x${'fa'.repeat(20)}`, 10n ** 30n)
  await leave(address ?? '', 100n, 5n)
  expect(await listBrokenInvariants(database)).toMatchObject([
    expect.stringContaining('left 101 eth more than came'),
  ])
  await leave(address ?? '', 100n, 5n, usdt)
  expect(await listBrokenInvariants(database)).toMatchObject([
    expect.stringContaining('left 100 usdt more than came'),
  ])
})

test('nothing is swept where no chain is read by keys of one’s own, and not by everybody', async () => {
  const input = { query: { chain_id: '1' } }
  const { refusal } = await app.client.call(sweepsContract.listSweep, input, operator)
  expect(refusal).toMatchObject({ reason: 'SweepRefused' })
  const { body } = await app.client.call(sweepsContract.getSweeps, {}, operator)
  expect(body).toEqual({ chains: [], sweeps: [], movements: [] })
  const { as } = await anOperatorPerson(app, 'support')
  expect((await app.client.call(sweepsContract.getSweeps, {}, as)).refusal).toMatchObject({
    reason: 'PermissionMissing',
  })
  const nothing = { params: { id: 'x' }, headers: named }
  expect((await app.client.call(sweepsContract.stopSweep, nothing, operator)).status).toBe(404)
})
