import { randomBytes } from 'node:crypto'
import { getAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { parseDecimal } from '#domain/money.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { doublePaymentsOf, lookAtBatch } from '#tests/kit/builders/a-claim.ts'
import { aChainBatch } from '#tests/kit/payouts/a-chain-batch.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { accountKey, aCoin, CONFIRMATIONS, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

describe('a refund in coins that was paid and is paid again', () => {
  let anvil: Anvil
  let app: TestApp
  let environment: Record<string, string>

  beforeEach(async () => {
    anvil = await startAnvil()
    environment = { EVM_XPUB: accountKey(randomBytes(16).toString('hex')) }
    app = await startEvmApp({ nodes: { 1: anvil.url }, tokens: [aCoin()], environment })
  })
  afterEach(async () => {
    await app.close()
    await anvil.stop()
  })

  async function send(to: string, value: bigint) {
    const hash = await anvil.send({ to, value })
    await anvil.mine(CONFIRMATIONS)
    return hash
  }

  async function aPaidClaim() {
    const address = getAddress(`0x${randomBytes(20).toString('hex')}`)
    const overpay = async (to: string, value: bigint) => void (await send(to, value))
    const { batch, claimed } = await aChainBatch(app, overpay, { token: 'eth', address })
    const pay = () => send(address, parseDecimal(claimed.pays, 18) ?? 0n)
    await pay()
    await followPayouts(app.services)
    expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'confirmed' })
    return { pay }
  }

  const seconds = async (looking = app) => {
    await followPayouts(looking.services)
    return (await doublePaymentsOf(looking)).map((each) => each.transaction_hash)
  }

  it('is found by one look, however many blocks there are', async () => {
    const { pay } = await aPaidClaim()
    await anvil.mine(400)
    const second = await pay()
    await anvil.mine(400)
    await watchChains(app.services)
    await deleteExpiredRecords(app.services)
    expect(await seconds()).toEqual([second])
    await app.passTime(31 * 24 * 60 * 60_000)
    await deleteExpiredRecords(app.services)
    const noted = app.open.database.selectFrom('refund_coin_transfers').selectAll()
    expect(await noted.execute()).toEqual([])
  })

  it('is found by a process that has not read the chain itself', async () => {
    const { pay } = await aPaidClaim()
    await anvil.mine(400)
    const second = await pay()
    await anvil.mine(400)
    await watchChains(app.services)
    const again = await startEvmApp({
      nodes: { 1: anvil.url },
      tokens: [aCoin()],
      open: app.open,
      environment,
    })
    expect(await seconds(again)).toEqual([second])
    await again.close()
  })

  it('is not found once a reorganisation has taken it back, and is if it is mined again', async () => {
    const { pay } = await aPaidClaim()
    await anvil.mine(100)
    await watchChains(app.services)
    const snapshot = await anvil.rpc('evm_snapshot')
    await pay()
    await watchChains(app.services)
    await anvil.rpc('evm_revert', [snapshot])
    await anvil.mine(100)
    await watchChains(app.services)
    expect(await seconds()).toEqual([])
    const again = await pay()
    await anvil.mine(100)
    await watchChains(app.services)
    expect(await seconds()).toEqual([again])
  })
})
