import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Transaction as Tx } from '#contract/shapes.ts'
import { aPurchase, expectInvariants, lookAt, refundsOf } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import type { TestDatabase } from '#tests/kit/servers/database.ts'
import {
  accountKey,
  aCoin,
  addressOf,
  aToken,
  CONFIRMATIONS,
  dueOf,
  readAndLook,
  startEvmApp,
} from '#tests/kit/servers/evm-app.ts'
import { type RpcAnswer, type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

/** The default of a node. */
const STATES_KEPT = 128
/** A server that starts reads them in three parts: 64, twice as many, and the rest. */
const BLOCKS_AWAY = 300
/** The second part ends just before the chain does, and the payment is older than any state. */
const PARTS_OF_WHICH_THE_SECOND_HAS_STATES = 64 + 128 + 1
const MISSING: RpcAnswer = { error: { code: -32000, message: 'missing trie node 3b70 (path )' } }

describe('a node of an EVM chain that lacks states, or claims to', () => {
  let anvil: Anvil
  let proxy: RpcProxy
  let app: TestApp
  let usdt: string
  let feeToken: string
  let quiet: string
  let payer: string

  beforeAll(async () => {
    anvil = await startAnvil()
    usdt = await anvil.deployToken()
    feeToken = await anvil.deployToken({ feePermille: 100 })
    quiet = await anvil.deployToken({ isQuiet: true })
    payer = await anvil.deployPayer()
    proxy = await startRpcProxy(anvil.url)
    app = await startOne()
  })
  afterEach(async () => {
    proxy.intercept = null
    await expectInvariants(app)
    expect(app.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    await proxy.stop()
    await anvil.stop()
  })

  const startOne = (open?: TestDatabase) =>
    startEvmApp({
      nodes: { 1: proxy.url },
      tokens: [
        aCoin(),
        aToken(usdt),
        aToken(feeToken, { id: 'fee', symbol: 'FEE', name: 'Fee on transfer' }),
        aToken(quiet, { id: 'quiet', symbol: 'QUIET', name: 'Without logs' }),
      ],
      environment: { EVM_XPUB: accountKey('states that are missing') },
      ...(open && { open }),
    })

  /** Whether a call is about a state that the node no longer keeps. */
  async function isOld(method: string, params: readonly unknown[]): Promise<boolean> {
    if (method !== 'eth_call') return false
    const [, { blockHash }] = params as [unknown, { blockHash: string }]
    const block = await anvil.rpc<{ number: string }>('eth_getBlockByHash', [blockHash, false])
    return Number(block.number) < (await anvil.height()) - STATES_KEPT
  }

  const asksForTokens = (method: string, params: readonly unknown[]) =>
    method === 'eth_call' && JSON.stringify(params).includes('70a08231')

  it.each([
    ['one reading', false],
    ['two readings', true],
  ])('credits once what was paid long ago, found in several parts of %s', async (_, isCut) => {
    const buyer = await aUser(app)
    const paymentTokens = ['eth', 'usdt', 'eth'] as const
    const purchases = []
    for (const token of paymentTokens) purchases.push(await aPurchase(app, buyer, { token }))
    const [inCoins, inTokens, byContract] = purchases as [Tx, Tx, Tx]
    await readAndLook(app, buyer, inCoins)
    await anvil.send({ to: addressOf(inCoins), value: dueOf(inCoins) })
    await anvil.transferToken(usdt, addressOf(inTokens), dueOf(inTokens))
    const part = dueOf(byContract) / 4n
    await anvil.send({ to: addressOf(byContract), value: part })
    await anvil.call(payer, 'pay', [[addressOf(byContract)]], dueOf(byContract) - part)
    await anvil.mine()
    // In the second part, of which one reading is to be cut short.
    const later = `0x${((await anvil.height()) + 90).toString(16)}`
    await anvil.mine(BLOCKS_AWAY)

    // A server that starts later remembers nothing by itself.
    const restarted = await startOne(app.open)
    let isToFail = isCut
    proxy.intercept = async (method, params, ask) => {
      if (isToFail && method === 'eth_getBlockByNumber' && params[0] === later) {
        isToFail = false
        return 503
      }
      return (await isOld(method, params)) ? MISSING : await ask()
    }
    const statusOf = async (purchase: Tx) => (await readAndLook(restarted, buyer, purchase)).status
    let readings = 0
    while ((await statusOf(byContract)) !== 'completed' && readings < 20) readings += 1
    for (const purchase of purchases) {
      const seen = await lookAt(restarted, buyer, purchase)
      expect(seen).toMatchObject({ status: 'completed', tokens: purchase.tokens })
      expect(seen.receipts).toHaveLength(purchase === byContract ? 2 : 1)
      expect(await refundsOf(restarted, purchase)).toEqual([])
    }
    expect(isToFail).toBe(false)
    for (const { message } of restarted.complaints)
      expect(message).toContain('no longer has the balances')
    await restarted.close()
  })

  it('keeps what a contract paid long ago where only newer blocks are replaced', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await readAndLook(app, buyer, purchase)
    await anvil.call(payer, 'pay', [[addressOf(purchase)]], dueOf(purchase))
    await anvil.mine(PARTS_OF_WHICH_THE_SECOND_HAS_STATES)
    const restarted = await startOne(app.open)
    proxy.intercept = async (method, params, ask) =>
      (await isOld(method, params)) ? MISSING : await ask()
    let seen = await readAndLook(restarted, buyer, purchase)
    for (let readings = 0; seen.receipts.length === 0 && readings < 20; readings += 1) {
      seen = await readAndLook(restarted, buyer, purchase)
    }
    await anvil.rpc('anvil_rollback', [CONFIRMATIONS])
    await anvil.send({ to: payer })
    await anvil.mine(2 * CONFIRMATIONS)
    const kept = await readAndLook(restarted, buyer, purchase)
    expect(kept).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    expect(kept.receipts).toHaveLength(1)
    for (const { message } of restarted.complaints) {
      expect(message).toMatch(/no longer has the balances|reorganisation/)
    }
    await restarted.close()
  })

  it.each<[string, RpcAnswer, string]>([
    ['by a code', { error: { code: -32005, message: 'limit exceeded' } }, 'limit exceeded'],
    ['by HTTP', { error: { code: -32000, message: 'missing' }, status: 429 }, 'with status 429'],
    ['in words', { error: { code: -32000, message: 'too many requests' } }, 'too many requests'],
    ['for an outage', { error: { code: -32603, message: 'internal error' } }, 'internal error'],
  ])(
    'is asked again for what arrived where it refuses to answer, %s',
    async (_, refusal, reason) => {
      const buyer = await aUser(app)
      const purchase = await aPurchase(app, buyer, { token: 'fee' })
      const due = dueOf(purchase)
      await readAndLook(app, buyer, purchase)
      await anvil.transferToken(feeToken, addressOf(purchase), due)
      await anvil.mine(CONFIRMATIONS)
      proxy.intercept = async (method, params, ask) =>
        asksForTokens(method, params) ? refusal : await ask()
      const before = await readAndLook(app, buyer, purchase)
      expect(before).toMatchObject({ status: 'pending', receipts: [] })
      const error = expect.objectContaining({ message: expect.stringContaining(reason) as string })
      expect(app.complaints.splice(0)).toMatchObject([{ facts: { error } }])

      proxy.intercept = null
      const after = await readAndLook(app, buyer, purchase)
      expect(after).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
      expect(dueOf(after)).toBe(due / 10n)
    },
  )

  it('makes up for a token whose states alone were missing', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'quiet' })
    await readAndLook(app, buyer, purchase)
    await anvil.transferToken(quiet, addressOf(purchase), dueOf(purchase))
    await anvil.mine()
    proxy.intercept = async (method, params, ask) =>
      asksForTokens(method, params) ? MISSING : await ask()
    expect(await readAndLook(app, buyer, purchase)).toMatchObject({ receipts: [] })

    proxy.intercept = null
    await anvil.mine(CONFIRMATIONS)
    await readAndLook(app, buyer, purchase)
    await anvil.mine(CONFIRMATIONS)
    const completed = await readAndLook(app, buyer, purchase)
    expect(completed).toMatchObject({ status: 'completed', tokens: purchase.tokens })
    expect(completed.receipts).toHaveLength(1)
    const messages = app.complaints.splice(0).map(({ message }) => message)
    expect(new Set(messages)).toEqual(
      new Set([expect.stringContaining('no longer has the balances') as string]),
    )
  })
})
