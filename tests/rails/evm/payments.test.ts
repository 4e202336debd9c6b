import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { recordChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  balanceOf,
  expectAllWell,
  lookAt,
  mailsOf,
  refundsOf,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { listForeign } from '#tests/kit/builders/an-operator.ts'
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

describe('paying on an EVM chain', () => {
  let anvil: Anvil
  let app: TestApp
  let usdt: string
  let feeToken: string
  let quiet: string
  let stranger: string
  let payer: string

  beforeAll(async () => {
    anvil = await startAnvil()
    usdt = await anvil.deployToken({ decimals: 6 })
    feeToken = await anvil.deployToken({ decimals: 6, feePermille: 20 })
    quiet = await anvil.deployToken({ isQuiet: true })
    stranger = await anvil.deployToken({ decimals: 6 })
    payer = await anvil.deployPayer()
    app = await startEvmApp({
      nodes: { 1: anvil.url },
      tokens: [
        aCoin(),
        aToken(usdt),
        aToken(quiet, { id: 'quiet', symbol: 'QUIET', name: 'Without logs' }),
        aToken(feeToken, { id: 'fee', symbol: 'FEE', name: 'Fee on transfer' }),
      ],
    })
  })
  afterEach(async () => {
    await expectAllWell(app)
  })
  afterAll(async () => {
    await app.close()
    await anvil.stop()
  })

  it('shows a payment and its confirmations together with what they do, not before', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine()
    await recordChains(app.services)
    expect(await lookAt(app, buyer, purchase)).toEqual(purchase)
    await settleDue(app.services)
    const seen = await lookAt(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'processing', receipts: [{ confirmations: 1 }] })

    await anvil.mine(CONFIRMATIONS - 1)
    await recordChains(app.services)
    expect(await lookAt(app, buyer, purchase)).toEqual(seen)
    await settleDue(app.services)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'completed',
      receipts: [{ confirmations: CONFIRMATIONS }],
    })
  })

  it('takes ether: seen in a block, confirmed, completed, with the tokens that were quoted', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    expect(purchase).toMatchObject({ required_confirmations: CONFIRMATIONS })
    expect(purchase.payment_uri).toBe(`ethereum:${addressOf(purchase)}@1?value=${dueOf(purchase)}`)
    const hash = await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'pending' })

    await anvil.mine()
    const seen = await readAndLook(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'processing', confirmations: 1 })
    expect(seen.receipts).toMatchObject([{ explorer_url: `https://etherscan.io/tx/${hash}` }])

    await anvil.mine(CONFIRMATIONS - 2)
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    await anvil.mine()
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
    expect(await balanceOf(app, buyer)).toBe(purchase.tokens.total)
    expect(await mailsOf(app, purchase)).toEqual([
      'purchase_created',
      'purchase_processing',
      'purchase_completed',
    ])
  })

  it('takes tokens, and adds several payments up', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'usdt' })
    const due = dueOf(purchase)
    expect(purchase.payment_uri).toBe(
      `ethereum:${usdt}@1/transfer?address=${addressOf(purchase)}&uint256=${due}`,
    )
    await anvil.transferToken(usdt, addressOf(purchase), due - 1_000_000n)
    await anvil.mine()
    const underpaid = await readAndLook(app, buyer, purchase)
    expect(underpaid).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
    expect(dueOf(underpaid)).toBe(1_000_000n)

    await anvil.transferToken(usdt, addressOf(purchase), 1_000_000n)
    await anvil.mine(CONFIRMATIONS)
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
    expect(completed.receipts).toHaveLength(2)
  })

  it('counts two transfers of one transaction', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'usdt' })
    const due = dueOf(purchase)
    await anvil.transferToken(usdt, payer, due)
    const parts = [due / 4n, due - due / 4n] as const
    await anvil.call(payer, 'payTwice', [usdt, addressOf(purchase), ...parts])
    await anvil.mine(CONFIRMATIONS)
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.receipts).toHaveLength(2)
    expect(completed.tokens).toEqual(purchase.tokens)
  })

  it('finds ether that a contract sends, to several buyers at once', async () => {
    const buyers = [await aUser(app), await aUser(app)] as const
    const first = await aPurchase(app, buyers[0])
    const second = await aPurchase(app, buyers[1])
    const to = [addressOf(first), addressOf(second)]
    await anvil.mine(5)
    await anvil.call(payer, 'pay', [to], dueOf(first) + dueOf(second))
    await anvil.mine(1)
    const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
    await anvil.mine(CONFIRMATIONS)
    const completed = await readAndLook(app, buyers[0], first)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(first.tokens)
    expect(completed.receipts).toMatchObject([
      { explorer_url: `https://etherscan.io/block/${hash}` },
    ])
    expect(await readAndLook(app, buyers[1], second)).toMatchObject({ status: 'completed' })
  })

  it('finds ether of a contract and of a wallet in one block, and a token beside them', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const due = dueOf(purchase)
    await anvil.call(payer, 'pay', [[addressOf(purchase)]], due / 3n)
    await anvil.send({ to: addressOf(purchase), value: due - due / 3n })
    await anvil.transferToken(usdt, addressOf(purchase), 5_000_000n)
    await anvil.mine(CONFIRMATIONS)
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed' })
    expect(completed.tokens).toEqual(purchase.tokens)
    expect(await refundsOf(app, purchase)).toEqual([{ amount: 5_000_000n, why: 'wrong_asset' }])
  })

  it('counts what arrived of a token that keeps a fee, whatever its logs contain', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'fee' })
    const due = dueOf(purchase)
    await anvil.transferToken(feeToken, addressOf(purchase), due)
    await anvil.mine(CONFIRMATIONS)
    const underpaid = await readAndLook(app, buyer, purchase)
    expect(underpaid).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
    expect(dueOf(underpaid)).toBe((due * 20n) / 1000n)

    await anvil.transferToken(feeToken, addressOf(purchase), dueOf(underpaid))
    await anvil.mine(CONFIRMATIONS)
    const { status } = await readAndLook(app, buyer, purchase)
    // Two percent of two percent are missing, which is forgiven.
    expect(status).toBe('completed')
  })

  it('takes a token that logs no transfers, by what arrived', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'quiet' })
    const to = addressOf(purchase)
    // Coins of a contract in the very block are something else.
    await anvil.call(payer, 'pay', [[to]], 7n)
    await anvil.transferToken(quiet, to, dueOf(purchase))
    await anvil.mine(CONFIRMATIONS)
    for (let reading = 0; reading < 5; reading += 1) {
      expect(await readAndLook(app, buyer, purchase)).toMatchObject({ status: 'pending' })
      expect(app.complaints.splice(0)).toMatchObject([{ facts: { chain: 'eip155:1' } }])
    }
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    expect(await refundsOf(app, purchase)).toEqual([{ amount: 7n, why: 'wrong_asset' }])

    // Its payments hold up nobody else's from now on.
    const next = await aPurchase(app, buyer, { token: 'quiet' })
    await anvil.transferToken(quiet, addressOf(next), dueOf(next))
    await anvil.mine(CONFIRMATIONS)
    expect(await readAndLook(app, buyer, next)).toMatchObject({ status: 'completed' })
  })

  it('never credits a token of another contract, whatever it is called', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'usdt' })
    await anvil.transferToken(stranger, addressOf(purchase), dueOf(purchase))
    await anvil.mine(CONFIRMATIONS)
    const seen = await readAndLook(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'pending', status_reason: null })
    expect(seen.payment_amount).toBe(purchase.payment_amount)
    expect(await refundsOf(app, purchase)).toEqual([])
    const { data } = await listForeign(app, { purchase_id: purchase.id })
    expect(data).toMatchObject([
      { asset: stranger.toLowerCase(), amount: String(dueOf(purchase)), is_held: true },
    ])
  })

  it('never credits a transaction that failed', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    // A contract at the address refuses the coins; it is taken away again before the next block.
    const hash = await (async () => {
      await anvil.rpc('anvil_setCode', [addressOf(purchase), '0x60006000fd'])
      const sent = await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
      await anvil.mine()
      await anvil.rpc('anvil_setCode', [addressOf(purchase), '0x'])
      return sent
    })()
    const receipt = await anvil.rpc<{ status: string }>('eth_getTransactionReceipt', [hash])
    expect(receipt.status).toBe('0x0')
    await anvil.mine(CONFIRMATIONS)
    const seen = await readAndLook(app, buyer, purchase)
    expect(seen).toMatchObject({ status: 'pending', status_reason: null, receipts: [] })
  })

  it('goes on counting when the operator empties an address', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const address = addressOf(purchase)
    const due = dueOf(purchase)
    await anvil.send({ to: address, value: due / 2n })
    await anvil.mine()
    await readAndLook(app, buyer, purchase)
    await anvil.rpc('anvil_impersonateAccount', [address])
    await anvil.send({ from: address, to: usdt.replace(/.$/, '0'), value: due / 8n })
    await anvil.call(payer, 'pay', [[address]], due - due / 2n)
    await anvil.mine(CONFIRMATIONS)
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed' })
    expect(completed.tokens).toEqual(purchase.tokens)
  })
})
