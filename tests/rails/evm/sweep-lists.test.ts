import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseDecimal } from '#domain/money.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { aCoin, aToken } from '#tests/kit/servers/evm-app.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { listSweep, signed, startSweepApp, takeAddresses } from '#tests/kit/sweeps/sweep-app.ts'

const ETHER = 10n ** 18n
const GWEI = 10n ** 9n

describe('the list of what is worth sweeping', () => {
  let anvil: Anvil
  let app: TestApp
  let usdt: string

  beforeEach(async () => {
    anvil = await startAnvil()
    usdt = await anvil.deployStrictToken()
    app = await startSweepApp(anvil, [aCoin(), aToken(usdt)])
  })
  afterEach(async () => {
    await app.close()
    await anvil.stop()
  })

  /** Addresses of the sale with so many whole USDT each. */
  async function holding(...amounts: number[]): Promise<string[]> {
    const addresses = await takeAddresses(app, amounts.length)
    for (const [place, amount] of amounts.entries()) {
      await anvil.transferToken(usdt, addresses[place] ?? '', BigInt(amount) * 1_000_000n)
    }
    await anvil.mine()
    return addresses
  }

  it('has the largest amounts, and says what is beyond its length or worth too little', async () => {
    await holding(100, 300, 200)
    const long = await listSweep(app, { limit: '2' })
    expect(long.transfers.map(({ amount }) => amount)).toEqual(['300', '200'])
    expect(long.left_out).toMatchObject([
      { amount: '100', why: expect.stringContaining('in the next list') },
    ])
    const larger = await listSweep(app, { min_usd: '150' })
    expect(larger.transfers.map(({ amount }) => amount)).toEqual(['300', '200'])
    expect(larger.left_out).toMatchObject([{ amount: '100', why: 'Worth less than $150' }])
  })

  it('leaves out addresses of a former key, so that the rest can be signed', async () => {
    await holding(300)
    const former = '0x000000000000000000000000000000000000dEaD'
    const key = { name: 'EVM_XPUB', fingerprint: '0123456789abcdef' }
    const at = app.clock.now()
    await app.open.database
      .insertInto('pinned_keys')
      .values({ ...key, is_current: false, pinned_at: at })
      .execute()
    await app.open.database
      .insertInto('derived_addresses')
      .values({
        key_name: key.name,
        fingerprint: key.fingerprint,
        derivation_index: 0n,
        chain: 'eip155:1',
        address: former,
        taken_at: at,
      })
      .execute()
    await anvil.transferToken(usdt, former, 400_000_000n)
    await anvil.mine()
    const list = await listSweep(app)
    expect(list.left_out).toMatchObject([
      { address: former, why: expect.stringContaining('former key') },
    ])
    expect((await signed(list)).transactions).toHaveLength(2)
  })

  it('leaves out coins that the fees of the tokens beside them use up', async () => {
    const [address = ''] = await holding(300)
    const gas_gwei = '2'
    const { fundings } = await listSweep(app, { gas_gwei })
    const fees = parseDecimal(fundings[0]?.amount ?? '', 18) ?? 0n
    // Sending it takes 21,000, and it has to be twice that.
    const withCoins = async (gas: bigint) => {
      await anvil.rpc('anvil_setBalance', [address, `0x${(fees + gas * 2n * GWEI).toString(16)}`])
      return await listSweep(app, { gas_gwei })
    }
    const few = await withCoins(41_999n)
    expect(few.fundings).toEqual([])
    expect(few.transfers).toMatchObject([{ symbol: 'USDT' }])
    expect(few.left_out).toMatchObject([{ symbol: 'ETH', why: 'Not worth its fee now' }])
    const enough = await withCoins(42_000n)
    expect(enough.transfers).toMatchObject([
      { symbol: 'USDT' },
      { symbol: 'ETH', amount: '0.000042' },
    ])
    expect((await signed(enough)).transactions).toHaveLength(2)
  })

  it('leaves out a token that costs more than half of what it is worth', async () => {
    const [poor = ''] = await holding(0, 300)
    await anvil.transferToken(usdt, poor, 10_000n)
    await anvil.send({ to: poor, value: ETHER })
    await anvil.mine()
    const list = await listSweep(app, { gas_gwei: '2' })
    expect(list.left_out).toMatchObject([
      { address: poor, symbol: 'USDT', why: 'Not worth its fee now' },
    ])
    expect(list.transfers.map(({ symbol }) => symbol).toSorted()).toEqual(['ETH', 'USDT'])
  })
})
