import { formatDecimal, parseDecimal } from '#domain/money.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Unavailable } from '#domain/unavailable.ts'
import { approvalsContract } from '#contract/operator/approvals.ts'
import { sweepsContract } from '#contract/operator/sweeps.ts'
import { carrySweeps } from '#server/use-cases/sweeps/carry-sweeps.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { aColleague, waitOf } from '#tests/kit/builders/an-operator-person.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { ANSWERING_TOKEN_BYTECODE } from '#tests/kit/contracts/bytecode.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { aCoin, addressOf, aToken, CONFIRMATIONS, dueOf } from '#tests/kit/servers/evm-app.ts'
import {
  carryOn,
  giveGas,
  keyOf,
  listSweep,
  PAYER,
  report,
  signed,
  startSweepApp,
  takeAddresses,
  TREASURY,
  tryToSend,
} from '#tests/kit/sweeps/sweep-app.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const ETHER = 10n ** 18n
const STRANGER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

describe('sweeping what lies at one address per purchase', () => {
  let anvil: Anvil
  let app: TestApp
  let usdt: string

  beforeEach(async () => {
    anvil = await startAnvil()
    usdt = await anvil.deployStrictToken()
    app = await startSweepApp(anvil, [aCoin(), aToken(usdt)])
  })
  afterEach(async () => {
    await expectInvariants(app)
    await app.close()
    await anvil.stop()
  })

  const tokensOf = async (address: string) => {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
    return BigInt(await anvil.rpc<string>('eth_call', [{ to: usdt, data }, 'latest']))
  }
  const coinsOf = async (address: string) =>
    BigInt(await anvil.rpc<string>('eth_getBalance', [address, 'latest']))

  /** Every other one is paid in coins, the others in tokens. */
  async function payAll(addresses: readonly string[]): Promise<void> {
    for (const [place, to] of addresses.entries()) {
      if (place % 2 === 0) await anvil.send({ to, value: ETHER / 10n })
      else await anvil.transferToken(usdt, to, 250_000_000n)
    }
    await anvil.mine()
  }

  it('brings five hundred payments in coins and tokens to one balance', async () => {
    await payAll(await takeAddresses(app, 500))
    // The first tokens of a treasury take more gas than all later ones.
    await anvil.transferToken(usdt, TREASURY, 1n)
    await giveGas(anvil, 10n * ETHER)
    const before = await coinsOf(TREASURY)
    const list = await listSweep(app)
    expect(list.transfers).toHaveLength(500)
    expect(list.fundings).toHaveLength(250)
    const file = await signed(list)
    expect((await tryToSend(app, file)).body).toMatchObject({ state: 'open' })
    const sweep = await carryOn(app, anvil, 200)
    expect(sweep).toMatchObject({ state: 'closed', counts: { confirmed: 750, failed: 0 } })
    expect(await tokensOf(TREASURY)).toBe(250n * 250_000_000n + 1n)
    const swept = list.totals.find(({ symbol }) => symbol === 'ETH')
    expect(formatDecimal((await coinsOf(TREASURY)) - before, 18)).toBe(swept?.amount)

    const { chains, movements } = await report(app)
    expect(chains[0]?.swept).toContainEqual({
      payment_token_id: 'usdt',
      symbol: 'USDT',
      recipient: TREASURY,
      is_treasury: true,
      amount: '62500',
      count: 250,
    })
    expect(movements).toHaveLength(100)
    // What stays behind is the part of the gas money that the tokens did not take.
    const behind = parseDecimal(chains[0]?.lying[0]?.amount ?? '', 18) ?? 0n
    expect(chains[0]?.lying).toHaveLength(1)
    expect(behind).toBeLessThan(250n * 8_000n * BigInt(list.gas_price))
    // Sending the file again changes nothing.
    expect((await tryToSend(app, file)).body).toMatchObject({ id: sweep.id, state: 'closed' })
  }, 600_000)

  it('leaves purchases as they are: gas is no payment, and what was swept stays credited', async () => {
    const buyer = await aUser(app)
    const purchases = [await aPurchase(app, buyer, { token: 'usdt' }), await aPurchase(app, buyer)]
    const [inTokens, inCoins] = purchases as [(typeof purchases)[0], (typeof purchases)[0]]
    await anvil.transferToken(usdt, addressOf(inTokens), dueOf(inTokens))
    await anvil.send({ to: addressOf(inCoins), value: dueOf(inCoins) })
    await anvil.mine(CONFIRMATIONS)
    await watchChains(app.services)
    await giveGas(anvil, ETHER)
    await tryToSend(app, await signed(await listSweep(app)))
    expect(await carryOn(app, anvil)).toMatchObject({ counts: { confirmed: 3 } })
    for (const purchase of purchases) {
      const seen = await lookAt(app, buyer, purchase)
      expect(seen).toMatchObject({ status: 'completed', receipts: [{}] })
    }
    const { chains } = await report(app)
    expect(chains[0]?.swept.map(({ symbol, is_treasury: is }) => [symbol, is])).toEqual([
      ['ETH', true],
      ['USDT', true],
    ])
  })

  it('records what leaves by other means, and takes it back with its block', async () => {
    const [address = ''] = await takeAddresses(app, 1)
    await anvil.send({ to: address, value: ETHER })
    await anvil.mine()
    await watchChains(app.services)
    const snapshot = await anvil.rpc('evm_snapshot')
    const byHand = await keyOf(0, 0).signTransaction({
      type: 'legacy',
      chainId: 1,
      nonce: 0,
      to: STRANGER,
      value: ETHER / 2n,
      gas: 21_000n,
      gasPrice: 2n * 10n ** 9n,
    })
    await anvil.rpc('eth_sendRawTransaction', [byHand])
    await anvil.mine()
    await watchChains(app.services)
    expect((await report(app)).chains[0]?.swept).toMatchObject([
      { recipient: STRANGER, is_treasury: false, amount: '0.5' },
    ])
    await anvil.rpc('evm_revert', [snapshot])
    await anvil.mine(3)
    await watchChains(app.services)
    expect((await report(app)).chains[0]?.swept).toEqual([])
  })

  it('goes on after it was stopped in the middle, and sends nothing twice', async () => {
    await payAll(await takeAddresses(app, 20))
    await giveGas(anvil, ETHER)
    await tryToSend(app, await signed(await listSweep(app)))
    await carrySweeps(app.services)
    // As where the server died between sending and writing that down.
    await app.open.database
      .updateTable('sweep_transactions')
      .set({ state: 'waiting', sent_at: null })
      .where('state', '=', 'sent')
      .execute()
    await anvil.mine()
    const sweep = await carryOn(app, anvil)
    expect(sweep).toMatchObject({ state: 'closed', counts: { confirmed: 30, failed: 0 } })
    expect(await tokensOf(TREASURY)).toBe(10n * 250_000_000n)
  })

  it('writes down what it sends before it sends it, and sends nothing that was stopped', async () => {
    await payAll(await takeAddresses(app, 2))
    await giveGas(anvil, ETHER)
    const { body } = await tryToSend(app, await signed(await listSweep(app)))
    const sweeping = app.services.rails.get('evm')?.sweeping
    if (sweeping === undefined) throw new Error('The rail has no sweeping.')
    const stop = () =>
      app.client.call(
        sweepsContract.stopSweep,
        { params: { id: body.id }, headers: named },
        operator,
      )
    const send = vi.spyOn(sweeping, 'send').mockImplementationOnce(async () => {
      // The node has it, and its answer is lost; an operator stops the rest at the same moment.
      expect((await report(app)).sweeps).toMatchObject([{ counts: { sent: 1, waiting: 2 } }])
      expect((await stop()).body).toMatchObject({ counts: { stopped: 2, sent: 1 } })
      throw new Unavailable('No node answers')
    })
    await carrySweeps(app.services)
    await carrySweeps(app.services)
    expect(send).toHaveBeenCalledTimes(1)
    expect((await report(app)).sweeps).toMatchObject([{ counts: { stopped: 2, sent: 1 } }])
    await app.passTime(61_000)
    expect(await carryOn(app, anvil)).toMatchObject({ counts: { stopped: 2, confirmed: 1 } })
    app.complaints.length = 0
  })

  it('stays stopped where the node refuses what was being sent at that moment', async () => {
    await payAll(await takeAddresses(app, 2))
    await giveGas(anvil, ETHER)
    const { body } = await tryToSend(app, await signed(await listSweep(app)))
    const sweeping = app.services.rails.get('evm')?.sweeping
    if (sweeping === undefined) throw new Error('The rail has no sweeping.')
    const send = vi.spyOn(sweeping, 'send').mockImplementationOnce(async () => {
      const input = { params: { id: body.id }, headers: named }
      await app.client.call(sweepsContract.stopSweep, input, operator)
      return 'transaction underpriced'
    })
    expect(await carryOn(app, anvil)).toMatchObject({
      state: 'closed',
      counts: { stopped: 3, confirmed: 0 },
      faults: [],
    })
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('gives up what was not sent when an operator stops it, and what was sent goes on', async () => {
    await payAll(await takeAddresses(app, 10))
    await giveGas(anvil, ETHER)
    const { body } = await tryToSend(app, await signed(await listSweep(app)))
    await carrySweeps(app.services)
    const input = { params: { id: body.id }, headers: named }
    const stopped = (await app.client.call(sweepsContract.stopSweep, input, operator)).body
    expect(stopped).toMatchObject({ counts: { stopped: 5, sent: 10 } })
    expect(await carryOn(app, anvil)).toMatchObject({ counts: { stopped: 5, confirmed: 10 } })
    // What still lies there is in the next list, and its gas is there already.
    const next = await listSweep(app)
    expect(next).toMatchObject({ fundings: [], transfers: { length: 5 } })
  })

  it('gives up what no block takes when it is stopped once more, so that another list can follow', async () => {
    await payAll(await takeAddresses(app, 2))
    await giveGas(anvil, ETHER)
    const { body } = await tryToSend(app, await signed(await listSweep(app)))
    await carrySweeps(app.services)
    const stop = async () =>
      (
        await app.client.call(
          sweepsContract.stopSweep,
          { params: { id: body.id }, headers: named },
          operator,
        )
      ).body
    expect(await stop()).toMatchObject({ state: 'open' })
    const ended = await stop()
    expect(ended).toMatchObject({ state: 'closed', counts: { sent: 0, waiting: 0 } })
    expect(ended.faults[0]?.fault).toContain('Given up')
    // What was given up still arrives at the same treasury, and the books follow the chain.
    await anvil.mine(CONFIRMATIONS)
    expect((await report(app)).sweeps).toMatchObject([{ state: 'closed' }])
  })

  it('waits for the payer’s money, says so, and goes on by itself', async () => {
    await payAll(await takeAddresses(app, 4))
    const list = await listSweep(app)
    expect(Number(list.payer.needs)).toBeGreaterThan(Number(list.payer.balance))
    await tryToSend(app, await signed(list))
    await carrySweeps(app.services)
    const [waiting] = (await report(app)).sweeps
    expect(waiting?.faults).toMatchObject([
      { fault: expect.stringContaining(`The payer ${PAYER}`) },
    ])
    await giveGas(anvil, ETHER)
    expect(await carryOn(app, anvil)).toMatchObject({ counts: { confirmed: 6 }, faults: [] })
  })

  it('no longer says what to wait for once it was stopped', async () => {
    await payAll(await takeAddresses(app, 4))
    const { body } = await tryToSend(app, await signed(await listSweep(app)))
    await carrySweeps(app.services)
    expect((await report(app)).sweeps).toMatchObject([{ faults: { length: 1 } }])
    const input = { params: { id: body.id }, headers: named }
    await app.client.call(sweepsContract.stopSweep, input, operator)
    await carryOn(app, anvil)
    expect((await report(app)).sweeps).toMatchObject([{ state: 'closed', faults: [] }])
  })

  it('ends with a fault where a token is paused or blocks an address, and the rest goes on', async () => {
    const addresses = await takeAddresses(app, 4)
    await payAll(addresses)
    await giveGas(anvil, ETHER)
    const list = await listSweep(app)
    await tryToSend(app, await signed(list))
    await anvil.call(usdt, 'setBlackListed', [addresses[1], true])
    await anvil.mine()
    const sweep = await carryOn(app, anvil)
    expect(sweep).toMatchObject({ state: 'closed', counts: { confirmed: 5, failed: 1 } })
    expect(sweep.faults).toMatchObject([
      { address: addresses[1], state: 'failed', fault: expect.stringContaining('blocked') },
    ])
    expect(await tokensOf(TREASURY)).toBe(250_000_000n)
    // It is left out of the next list until the token lets go of it.
    await anvil.call(usdt, 'setPaused', [true])
    await anvil.mine()
    const { left_out: leftOut } = await listSweep(app)
    const paused = leftOut.filter(({ symbol }) => symbol === 'USDT')
    expect(paused).toMatchObject([
      { address: addresses[1], why: expect.stringContaining('paused') },
    ])
    app.complaints.length = 0
  })

  it('ends with a fault where a token refuses by its answer, though its transaction succeeds', async () => {
    await app.close()
    usdt = await anvil.deploy(ANSWERING_TOKEN_BYTECODE)
    app = await startSweepApp(anvil, [aCoin(), aToken(usdt)])
    const addresses = await takeAddresses(app, 4)
    await payAll(addresses)
    await giveGas(anvil, ETHER)
    await tryToSend(app, await signed(await listSweep(app)))
    await anvil.call(usdt, 'setBlackListed', [addresses[1], true])
    await anvil.mine()
    const sweep = await carryOn(app, anvil)
    expect(sweep).toMatchObject({ state: 'closed', counts: { confirmed: 5, failed: 1 } })
    expect(sweep.faults).toMatchObject([
      { address: addresses[1], fault: expect.stringContaining('blocked') },
    ])
    expect(await tokensOf(TREASURY)).toBe(250_000_000n)
    const { left_out: leftOut } = await listSweep(app)
    expect(leftOut.filter(({ symbol }) => symbol === 'USDT')).toMatchObject([
      { address: addresses[1], why: expect.stringContaining('blocked') },
    ])
    app.complaints.length = 0
  })

  it('ends where an address with several assets cannot send the first of them', async () => {
    await app.close()
    const usdc = await anvil.deployStrictToken()
    const second = aToken(usdc, { id: 'usdc', name: 'USD Coin', symbol: 'USDC' })
    app = await startSweepApp(anvil, [aCoin(), aToken(usdt), second])
    const [address = ''] = await takeAddresses(app, 1)
    await anvil.transferToken(usdt, address, 500_000_000n)
    await anvil.transferToken(usdc, address, 250_000_000n)
    await anvil.send({ to: address, value: ETHER / 10n })
    await anvil.mine()
    await tryToSend(app, await signed(await listSweep(app)))
    await anvil.call(usdt, 'setBlackListed', [address, true])
    await anvil.mine()
    const sweep = await carryOn(app, anvil)
    expect(sweep).toMatchObject({ state: 'closed', counts: { failed: 3 } })
    expect(sweep.faults.map(({ fault }) => fault)).toMatchObject([
      expect.stringContaining('blocked'),
      expect.stringContaining('was not sent'),
      expect.stringContaining('was not sent'),
    ])
    app.complaints.length = 0
  })

  it('ends with a fault where something else took a nonce', async () => {
    const [address = ''] = await takeAddresses(app, 2)
    await payAll([address])
    const list = await listSweep(app)
    await tryToSend(app, await signed(list))
    const other = await keyOf(0, 0).signTransaction({
      type: 'legacy',
      chainId: 1,
      nonce: 0,
      to: TREASURY,
      value: 1n,
      gas: 21_000n,
      gasPrice: 2n * 10n ** 9n,
    })
    await anvil.rpc('eth_sendRawTransaction', [other])
    await anvil.mine(CONFIRMATIONS)
    const sweep = await carryOn(app, anvil)
    expect(sweep).toMatchObject({ counts: { failed: 1 } })
    expect(sweep.faults[0]?.fault).toContain('took its nonce')
    app.complaints.length = 0
    // The list is out of date, and so is every file that was signed of it.
    const { refusal } = await tryToSend(app, { ...(await signed(list)), summary: ['again'] })
    expect(refusal.errors?.[0]?.message).toContain('which is used already')
  })

  it('sends no transaction that does anything else', async () => {
    const addresses = await takeAddresses(app, 4)
    await payAll(addresses)
    await giveGas(anvil, ETHER)
    const list = await listSweep(app)
    const file = await signed(list)
    const by = (branch: 0 | 1, change: object) =>
      keyOf(branch, 0).signTransaction({
        type: 'legacy',
        chainId: 1,
        nonce: 0,
        to: TREASURY,
        value: 1n,
        gas: 21_000n,
        gasPrice: 2n * 10n ** 9n,
        ...change,
      })
    const stranger = await by(0, { to: STRANGER })
    const [to, one] = [TREASURY.slice(2).toLowerCase(), 1n.toString(16)]
    const data = `0xa9059cbb${to.padStart(64, '0')}${one.padStart(64, '0')}`
    const inTokens = { to: usdt, data, value: 0n, gas: 60_000n }
    const wrong: [string, string][] = [
      [stranger, 'which is not the treasury'],
      [await by(1, { to: STRANGER }), 'which is not an address of the sale'],
      [await by(0, { chainId: 56 }), 'is for chain 56'],
      [await by(0, { data: '0x095ea7b3', value: 0n }), 'something other than a transfer'],
      [await by(0, { ...inTokens, value: 1n }), 'something other than a transfer'],
      [await by(0, { ...inTokens, to: STRANGER }), 'which is not one of the sale'],
      [await by(0, inTokens), 'moves more than'],
      [await by(0, { value: ETHER }), 'takes 1.000042 ETH'],
      [await by(0, { value: 0n }), 'moves nothing'],
      [await by(0, { nonce: 7 }), 'whose next one is 0'],
      [await by(1, { to: addresses[0], value: ETHER / 2n }), 'more than its transfers cost'],
      ['0x1234', 'cannot be read'],
    ]
    for (const [raw, message] of wrong) {
      const { refusal } = await tryToSend(app, { ...file, transactions: [raw] })
      expect(refusal.errors?.[0]?.message).toContain(message)
    }
    expect((await tryToSend(app, { transactions: [] })).refusal.errors).toMatchObject([
      { path: 'text' },
    ])
    expect((await report(app)).sweeps).toEqual([])
  })

  it('has one sweep on its way at a time', async () => {
    await payAll(await takeAddresses(app, 2))
    await giveGas(anvil, ETHER)
    const file = await signed(await listSweep(app))
    await tryToSend(app, file)
    const { refusal } = await tryToSend(app, { ...file, summary: ['another'] })
    expect(refusal).toMatchObject({ reason: 'SweepRefused' })
  })

  it('is sent once a second person has approved the treasury, the sums and the hash', async () => {
    const [ada, bob] = [await aColleague(app, 'Ada'), await aColleague(app, 'Bob')]
    await payAll(await takeAddresses(app, 2))
    await giveGas(anvil, ETHER)
    const list = await listSweep(app, { gas_gwei: '2' })
    const body = { text: JSON.stringify(await signed(list)) }
    const asked = await app.client.call(sweepsContract.sendSweep, { headers: {}, body }, ada.as)
    const waiting = waitOf(asked)
    expect(waiting).toMatchObject({
      act: 'sendSweep',
      permission: 'sweeps.manage',
      input: {
        treasury: TREASURY,
        transactions: 3,
        sums: expect.arrayContaining(['0.099958 ETH', '250 USDT']),
      },
    })
    await carrySweeps(app.services)
    expect((await report(app)).sweeps).toMatchObject([{ state: 'kept', counts: { waiting: 3 } }])
    const input = { params: { id: waiting.id }, body: { hash: waiting.hash } }
    await app.client.call(approvalsContract.approveAct, input, bob.as)
    expect(await carryOn(app, anvil)).toMatchObject({ counts: { confirmed: 3 } })
  })

  it('that was stopped while it waited for a second person is never sent', async () => {
    const [ada, bob] = [await aColleague(app, 'Ada'), await aColleague(app, 'Bob')]
    await payAll(await takeAddresses(app, 2))
    await giveGas(anvil, ETHER)
    const body = { text: JSON.stringify(await signed(await listSweep(app))) }
    const asked = await app.client.call(sweepsContract.sendSweep, { headers: {}, body }, ada.as)
    const waiting = waitOf(asked)
    const [kept] = (await report(app)).sweeps
    const stop = { params: { id: kept?.id ?? '' }, headers: {} }
    const stopped = await app.client.call(sweepsContract.stopSweep, stop, bob.as)
    expect(stopped.body).toMatchObject({ state: 'closed', counts: { stopped: 3, waiting: 0 } })
    const approve = { params: { id: waiting.id }, body: { hash: waiting.hash } }
    const decided = await app.client.call(approvalsContract.approveAct, approve, bob.as)
    expect(decided.body).toMatchObject({ state: 'failed' })
    await carrySweeps(app.services)
    expect((await report(app)).sweeps).toMatchObject([{ counts: { sent: 0, confirmed: 0 } }])
  })

  it('is refused where the treasury is an address of the sale, or none is set', async () => {
    const [own = ''] = await takeAddresses(app, 1)
    for (const treasury of [own, PAYER, '']) {
      const changed = { EVM_TREASURY_1: treasury }
      const other = await startSweepApp(anvil, [aCoin(), aToken(usdt)], changed, app.open)
      const input = { query: { chain_id: '1' } }
      const { refusal } = await other.client.call(sweepsContract.listSweep, input, operator)
      expect(refusal.message).toContain('EVM_TREASURY_1')
      await other.close()
    }
    const elsewhere = { query: { chain_id: '56' } }
    const { refusal } = await app.client.call(sweepsContract.listSweep, elsewhere, operator)
    expect(refusal).toMatchObject({ reason: 'SweepRefused' })
  })
})
