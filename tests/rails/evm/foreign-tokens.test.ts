import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { foreignTransfersContract } from '#contract/operator/foreign-transfers.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { aPurchase, expectInvariants, lookAt, refundsOf } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { listForeign, listRefunds, named, operator } from '#tests/kit/builders/an-operator.ts'
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

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Every call of it answers with the text `USDC`, whose first word reads as a balance of 32. */
const ANSWERS_USDC = `0x6020600052600460205263${Buffer.from('USDC').toString('hex')}60e01b60405260606000f3`

/**
 * Passes coins on to the address in its input, and logs that as a transfer of a token. Without
 * coins, it answers `balanceOf` with the coins of an account.
 */
const COIN_AS_TOKEN = [
  '0x3415604257', // without coins: go to balance
  '34600052', // what came to 0
  `600035337f${TRANSFER}60206000a3`, // log a transfer of it from the caller to the address
  '6000600060006000346000355af100', // send it there
  '5b6004353160005260206000f3', // balance: return the coins of the account
].join('')

describe('a token that the sale does not take', () => {
  let anvil: Anvil
  let app: TestApp

  beforeAll(async () => {
    anvil = await startAnvil()
    app = await startEvmApp({ nodes: { 1: anvil.url }, tokens: [aCoin()] })
  })
  afterEach(async () => {
    await expectInvariants(app)
    expect(app.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await anvil.stop()
  })

  const mailsAbout = async (purchaseId: string) => {
    await sendMails(app.services)
    const { rows } = await sql<{ kind: string }>`
      select kind from outbox_mails where params ->> 'purchase_id' = ${purchaseId}
        and kind not in ('purchase_created', 'purchase_processing', 'purchase_completed')`.execute(
      app.open.database,
    )
    return rows.map(({ kind }) => kind)
  }

  it('that a stranger sends five times is one mail and no debt', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const fake = await anvil.deployToken()
    for (let nth = 0; nth < 5; nth += 1) {
      await anvil.transferToken(fake, addressOf(purchase), 1_000_000n)
      await anvil.mine(2)
      await readAndLook(app, buyer, purchase)
    }
    await anvil.mine(CONFIRMATIONS)
    const seen = await readAndLook(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'pending', status_reason: null, refunds: [] })
    expect(await mailsAbout(purchase.id)).toEqual(['purchase_foreign_transfer'])
    expect(await listRefunds(app)).toMatchObject({ data: [], owed: [] })

    const { data, sums } = await listForeign(app, { purchase_id: purchase.id })
    expect(data).toHaveLength(5)
    const item = { asset: fake.toLowerCase(), amount: '1000000', is_held: true, symbol: null }
    expect(data[0]).toMatchObject({ ...item, address: addressOf(purchase), state: 'open' })
    expect(sums).toMatchObject([{ asset: fake.toLowerCase(), amount: '5000000', count: 5 }])
    const body = { chain: 'eip155:1', asset: fake.toLowerCase(), reason: 'A fake' }
    const input = { headers: named, body }
    const put = await app.client.call(foreignTransfersContract.dismissForeignToken, input, operator)
    expect(put.body).toEqual({ dismissed: 5 })
    expect(await listForeign(app)).toMatchObject({ data: [], sums: [] })

    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'completed' })
  })

  it('that only says that it moved, and holds nothing at the address, mails nobody', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await readAndLook(app, buyer, purchase)
    const hash = await anvil.send({ data: transferEmitter(addressOf(purchase), 64n) })
    await anvil.mine()
    const { contractAddress } = await anvil.rpc<{ contractAddress: string }>(
      'eth_getTransactionReceipt',
      [hash],
    )
    await anvil.rpc('anvil_setCode', [contractAddress, ANSWERS_USDC])
    await readAndLook(app, buyer, purchase)
    expect(await mailsAbout(purchase.id)).toEqual([])
    const { data } = await listForeign(app, { purchase_id: purchase.id })
    expect(data).toMatchObject([{ is_held: false, symbol: 'USDC', amount: '64' }])
    const reply = await owe(app, data[0]?.id ?? '')
    expect(reply.refusal).toMatchObject({ reason: 'TransferNotHeld' })
  })

  it('that is the chain’s own coin is a payment of that, and nothing else came', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const logger = '0xfffffffffffffffffffffffffffffffffffffffe'
    await anvil.rpc('anvil_setCode', [logger, COIN_AS_TOKEN])
    const data = `0x${addressOf(purchase).slice(2).padStart(64, '0')}`
    await anvil.send({ to: logger, value: dueOf(purchase), data })
    await anvil.mine(CONFIRMATIONS)
    const seen = await readAndLook(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'completed', receipts: [{}] })
    expect(await mailsAbout(purchase.id)).toEqual([])
    expect(await listForeign(app, { purchase_id: purchase.id })).toMatchObject({ data: [] })
  })

  it('that is real money is owed back once an operator says so', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const real = await anvil.deployToken()
    await anvil.transferToken(real, addressOf(purchase), 250_000_000n)
    await anvil.mine(CONFIRMATIONS)
    await readAndLook(app, buyer, purchase)
    const { data } = await listForeign(app, { purchase_id: purchase.id })
    const id = data[0]?.id ?? ''
    expect((await owe(app, id)).body).toMatchObject({ state: 'owed', reason: 'It is EURC' })
    expect(await refundsOf(app, purchase)).toEqual([{ amount: 250_000_000n, why: 'wrong_asset' }])
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'pending' })
    const { owed } = await listRefunds(app)
    expect(owed).toEqual([
      {
        payment_token: null,
        asset: `eip155:1/${real.toLowerCase()}`,
        amount: '250000000',
        count: 1,
      },
    ])
    expect((await owe(app, id)).refusal).toMatchObject({ reason: 'TransferDecided' })
  })

  it('that keeps a fee of each transfer is taken up for what arrived', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const costly = await anvil.deployToken({ feePermille: 20 })
    await anvil.transferToken(costly, addressOf(purchase), 1_000_000n)
    await anvil.transferToken(costly, addressOf(purchase), 500_000n)
    await anvil.mine(CONFIRMATIONS)
    await readAndLook(app, buyer, purchase)
    const { data } = await listForeign(app, { purchase_id: purchase.id })
    expect(data.map(({ is_held: isHeld }) => isHeld)).toEqual([true, true])
    for (const { id } of data) expect((await owe(app, id)).status).toBe(200)
    const owed = await refundsOf(app, purchase)
    expect(owed.reduce((sum, { amount }) => sum + amount, 0n)).toBe(1_470_000n)
    // Read again, it is owed as it was taken up.
    await anvil.mine(2)
    await readAndLook(app, buyer, purchase)
    expect(await refundsOf(app, purchase)).toEqual(owed)
  })

  it('that was taken up and then reorganised away is owed no more, and again once it is back', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await readAndLook(app, buyer, purchase)
    const real = await anvil.deployToken()
    const before = await anvil.rpc<string>('evm_snapshot')
    const hash = await anvil.transferToken(real, addressOf(purchase), 9n)
    const raw = await anvil.rpc('eth_getRawTransactionByHash', [hash])
    await anvil.mine(CONFIRMATIONS)
    await readAndLook(app, buyer, purchase)
    const { data } = await listForeign(app, { purchase_id: purchase.id })
    await owe(app, data[0]?.id ?? '')
    expect(await refundsOf(app, purchase)).toHaveLength(1)

    await anvil.rpc('evm_revert', [before])
    await anvil.mine(CONFIRMATIONS + 2)
    await readAndLook(app, buyer, purchase)
    expect(await refundsOf(app, purchase)).toEqual([])
    expect(app.complaints.splice(0)).toMatchObject([
      { message: 'A reorganisation replaced blocks. They are read again' },
    ])
    await anvil.rpc('eth_sendRawTransaction', [raw])
    await anvil.mine(CONFIRMATIONS)
    await readAndLook(app, buyer, purchase)
    expect(await refundsOf(app, purchase)).toHaveLength(1)
  })
})

async function owe(app: TestApp, id: string) {
  const input = { params: { id }, headers: named, body: { reason: 'It is EURC' } }
  return await app.client.call(foreignTransfersContract.oweForeignTransfer, input, operator)
}

/** The code of a contract that logs a transfer of its own token when it is created. */
function transferEmitter(to: string, amount: bigint): string {
  const push = (word: string) => `7f${word.replace('0x', '').padStart(64, '0')}`
  const store = `${push(amount.toString(16))}600052`
  return `0x${store}${push(to)}${push('0')}${push(TRANSFER)}60206000a300`
}
