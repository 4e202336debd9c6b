import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { parseDecimal } from '#domain/money.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { aChainBatch, nameHash } from '#tests/kit/payouts/a-chain-batch.ts'
import {
  cancelBatch,
  doublePaymentsOf,
  fileOf,
  lookAtBatch,
  lookAtClaim,
} from '#tests/kit/builders/a-claim.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { aCoin, CONFIRMATIONS, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, mainnet, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { playMainnet, startUtxoApp, utxoAccountKey } from '#tests/kit/servers/utxo-app.ts'

/** Of all claims that are approved on the chain of another batch. */
async function aJointBatch({ client }: TestApp, { rail, chain }: { rail: string; chain: string }) {
  const input = { headers: named, body: { rail, chain } }
  return (await client.call(refundBatchesContract.makeRefundBatch, input, operator)).body.batch
}

describe('a batch whose named transaction the wallet replaces is not offered again', () => {
  describe('on an EVM chain', () => {
    let anvil: Anvil
    let app: TestApp
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'

    beforeAll(async () => {
      anvil = await startAnvil()
      app = await startEvmApp({ nodes: { 1: anvil.url }, tokens: [aCoin()] })
    })
    afterAll(async () => {
      await app.close()
      await anvil.stop()
    })

    async function aBatch(to = address) {
      const overpay = async (to: string, value: bigint) => {
        await anvil.send({ to, value })
        await anvil.mine(CONFIRMATIONS)
      }
      const made = await aChainBatch(app, overpay, { token: 'eth', address: to })
      const value = parseDecimal(made.claimed.pays, 18) ?? 0n
      return { ...made, value }
    }

    /** The account's next transaction, or another one of the same nonce. */
    async function send(to: string, value: bigint, gwei: number, nonce?: string) {
      const [from = ''] = await anvil.rpc<string[]>('eth_accounts')
      const count = nonce ?? (await anvil.rpc<string>('eth_getTransactionCount', [from, 'latest']))
      const gasPrice = `0x${(BigInt(gwei) * 10n ** 9n).toString(16)}`
      const hex = `0x${value.toString(16)}`
      const sent = { from, to, value: hex, gas: '0x5208', gasPrice, nonce: count }
      return { hash: await anvil.rpc<string>('eth_sendTransaction', [sent]), nonce: count }
    }

    it('but found in what replaced it, by the nonce', async () => {
      const { batch, claimed, value } = await aBatch()
      const first = await send(address, value, 20)
      await nameHash(app, batch, first.hash)
      await followPayouts(app.services)
      const waiting = await lookAtBatch(app, batch.id)
      expect(waiting).toMatchObject({ state: 'open', formats: [] })
      expect(waiting.named_transactions[0]?.note).toContain('waits for a block')
      expect((await fileOf(app, batch.id)).refusal?.reason).toBe('BatchClosed')
      const second = await send(address, value, 90, first.nonce)
      await anvil.mine()
      await followPayouts(app.services)
      expect(await lookAtClaim(app, claimed)).toMatchObject({
        state: 'sent',
        transaction_hash: second.hash,
      })
      await anvil.mine(CONFIRMATIONS)
      await followPayouts(app.services)
      expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'confirmed' })
    })

    it('and known, though nobody has named it, if a reorganisation takes it back', async () => {
      const { batch, claimed, value } = await aBatch()
      const snapshot = await anvil.rpc('evm_snapshot')
      const { hash } = await send(address, value, 20)
      await anvil.mine()
      await followPayouts(app.services)
      expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent' })
      await anvil.rpc('evm_revert', [snapshot])
      await anvil.mine(2)
      await followPayouts(app.services)
      const lost = await lookAtBatch(app, batch.id)
      expect(lost).toMatchObject({
        state: 'open',
        formats: [],
        named_transactions: [{ hash, is_named: false }],
      })
      expect((await fileOf(app, batch.id)).refusal?.reason).toBe('BatchClosed')
      // It is mined again.
      await send(address, value, 20)
      await anvil.mine(CONFIRMATIONS)
      await followPayouts(app.services)
      expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'confirmed' })
    })

    it('and found again, though it was named for another batch meanwhile', async () => {
      const another = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
      const [one, other] = [await aBatch(), await aBatch(another)]
      const snapshot = await anvil.rpc('evm_snapshot')
      const { hash } = await send(address, one.value, 20)
      await anvil.mine()
      await followPayouts(app.services)
      expect(await lookAtClaim(app, one.claimed)).toMatchObject({ state: 'sent' })
      await nameHash(app, other.batch, hash)
      await anvil.rpc('evm_revert', [snapshot])
      await anvil.mine(2)
      await followPayouts(app.services)
      expect(await lookAtBatch(app, one.batch.id)).toMatchObject({ state: 'open' })
      await send(address, one.value, 20)
      await anvil.mine(CONFIRMATIONS)
      await followPayouts(app.services)
      expect(await lookAtClaim(app, one.claimed)).toMatchObject({
        state: 'confirmed',
        transaction_hash: hash,
      })
    })

    it('nor is what was found of it, once another transaction is named', async () => {
      const another = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
      const [one, other] = [await aBatch(), await aBatch(another)]
      for (const { batch } of [one, other]) await cancelBatch(app, batch)
      const { id } = await aJointBatch(app, one.batch)
      const first = await send(address, one.value, 20)
      await anvil.mine()
      await followPayouts(app.services)
      const second = await send(another, other.value, 20)
      await nameHash(app, { id }, second.hash)
      await anvil.mine()
      await followPayouts(app.services, false)
      expect(await lookAtClaim(app, one.claimed)).toMatchObject({
        state: 'sent',
        transaction_hash: first.hash,
      })
      expect(await lookAtClaim(app, other.claimed)).toMatchObject({
        state: 'sent',
        transaction_hash: second.hash,
      })
    })

    it.each([
      ['', true],
      [', which nobody had looked for before', false],
    ])(
      'and only with a warning while the transaction of a cancelled batch waits%s',
      async (_, isSeen) => {
        const { batch, value } = await aBatch()
        const first = await send(address, value, 20)
        await nameHash(app, batch, first.hash)
        if (isSeen) await followPayouts(app.services)
        await cancelBatch(app, batch)
        const { id } = await aJointBatch(app, batch)
        if (!isSeen) await followPayouts(app.services)
        const again = await fileOf(app, id)
        expect(again.body.note).toContain(first.hash)
        await anvil.mine(CONFIRMATIONS)
        await followPayouts(app.services)
        // Nobody has sent the file, so that the claim is paid all the same.
        expect(await lookAtBatch(app, id)).toMatchObject({ state: 'confirmed' })
      },
    )

    it('and only once it is cancelled, where the wallet has sent something else', async () => {
      const { batch, claimed, value } = await aBatch()
      const first = await send(address, value, 20)
      await nameHash(app, batch, first.hash)
      await followPayouts(app.services)
      const second = await send(address, value - 1n, 90, first.nonce)
      await anvil.mine()
      await followPayouts(app.services)
      const replaced = await lookAtBatch(app, batch.id)
      expect(replaced).toMatchObject({ state: 'open', formats: [] })
      expect(replaced.named_transactions[0]?.note).toContain(second.hash)
      expect(replaced.other_amounts).toMatchObject([
        { claim_id: claimed.id, pays: claimed.pays, hash: second.hash },
      ])
      expect((await fileOf(app, batch.id)).refusal?.reason).toBe('BatchClosed')
      await cancelBatch(app, batch)
      expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'approved' })
    })
  })

  describe('in a coin of the Bitcoin family', () => {
    let litecoind: Litecoind
    let proxy: RpcProxy
    let app: TestApp
    const environment = { LTC_XPUB: utxoAccountKey('LTC', randomUUID()) }

    beforeAll(async () => {
      litecoind = await startLitecoind()
      proxy = await playMainnet('LTC', litecoind.url)
      app = await startUtxoApp({ nodes: { LTC: proxy.url }, environment })
    })
    afterAll(async () => {
      await app.close()
      await proxy.stop()
      await litecoind.stop()
    })

    const overpay = async (to: string, amount: bigint) => {
      await litecoind.pay([to, amount])
      await litecoind.mine(CONFIRMATIONS)
    }
    const aClaim = async () => {
      await refreshPrices(app.services)
      const address = mainnet(await litecoind.rpc<string>('getnewaddress', '', 'bech32'))
      return await aChainBatch(app, overpay, { token: 'ltc', address })
    }

    it('nor is what pays a claim in its new batch a threat to the rest of that batch', async () => {
      const [one, other] = [await aClaim(), await aClaim()]
      for (const { batch } of [one, other]) await cancelBatch(app, batch)
      await cancelBatch(app, await aJointBatch(app, one.batch))
      const { id } = await aJointBatch(app, one.batch)
      const { address, pays } = one.claimed
      const hash = await litecoind.pay([address, parseDecimal(pays, 8) ?? 0n])
      await followPayouts(app.services)
      await followPayouts(app.services)
      expect(await lookAtClaim(app, one.claimed)).toMatchObject({
        state: 'sent',
        transaction_hash: hash,
        batch_id: id,
      })
      const { text, note } = (await fileOf(app, id)).body
      expect(text).toContain(other.claimed.address)
      expect(text).not.toContain(address)
      expect(note).not.toContain(hash)
      // The rest is sent by another transaction, which is named.
      const rest = await litecoind.pay([
        other.claimed.address,
        parseDecimal(other.claimed.pays, 8) ?? 0n,
      ])
      await nameHash(app, { id }, rest)
      await litecoind.mine(1)
      await followPayouts(app.services, false)
      for (const [{ claimed }, paidBy] of [
        [one, hash],
        [other, rest],
      ] as const) {
        expect(await lookAtClaim(app, claimed)).toMatchObject({
          state: 'sent',
          transaction_hash: paidBy,
        })
      }
    })

    it('but paid by the file of a cancelled batch, once a second payment is taken back', async () => {
      const { batch, claimed } = await aClaim()
      const { address } = claimed
      await cancelBatch(app, batch)
      const { id } = await aJointBatch(app, batch)
      const amount = parseDecimal(claimed.pays, 8) ?? 0n
      const [coin, another] = [await litecoind.aCoin(), await litecoind.aCoin()]
      const second = await litecoind.send(await litecoind.sign(coin, [[address, amount]], 20_000n))
      await nameHash(app, { id }, second)
      await followPayouts(app.services, false)
      expect(await lookAtClaim(app, claimed)).toMatchObject({ transaction_hash: second })
      // Somebody had sent the former file too, and gets it into blocks first.
      await litecoind.mineOnly([await litecoind.sign(another, [[address, amount]])])
      await litecoind.mineOnly([], CONFIRMATIONS - 1)
      await followPayouts(app.services)
      expect(await lookAtClaim(app, claimed)).toMatchObject({ transaction_hash: second })
      expect(await doublePaymentsOf(app)).toHaveLength(1)
      // So the wallet uses the coin of the second one for itself.
      await litecoind.send(await litecoind.sign(coin, [], 90_000n))
      await litecoind.mine(1)
      await followPayouts(app.services, false)
      // At once, before what has left its batch is looked for again: nobody is to pay it once more.
      expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent', batch_id: batch.id })
      expect(await doublePaymentsOf(app)).toEqual([])
      expect(await lookAtBatch(app, id)).toMatchObject({ state: 'cancelled' })
      await followPayouts(app.services, false)
      expect(await lookAtClaim(app, claimed)).toMatchObject({
        state: 'confirmed',
        batch_id: batch.id,
      })
    })

    it('but found in what replaced it, after a restart as well', async () => {
      const { batch, claimed } = await aClaim()
      const { address } = claimed
      const amount = parseDecimal(claimed.pays, 8) ?? 0n
      const coin = await litecoind.aCoin()
      const pay = async (fee: bigint) =>
        await litecoind.send(await litecoind.sign(coin, [[address, amount]], fee))
      const first = await pay(20_000n)
      await nameHash(app, batch, first)
      await followPayouts(app.services)
      expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent' })
      const second = await pay(90_000n)
      const { open } = app
      const again = await startUtxoApp({ nodes: { LTC: proxy.url }, environment, open })
      await followPayouts(again.services)
      await again.close()
      expect(await lookAtClaim(app, claimed)).toMatchObject({
        state: 'sent',
        transaction_hash: second,
      })
      await litecoind.mine(CONFIRMATIONS)
      await followPayouts(app.services)
      expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'confirmed' })
    })

    it('and its rest is offered after a restart, though what was paid is looked for no more', async () => {
      const [one, other] = [await aClaim(), await aClaim()]
      for (const { batch } of [one, other]) await cancelBatch(app, batch)
      const { id } = await aJointBatch(app, one.batch)
      const { address, pays } = one.claimed
      const coin = await litecoind.aCoin()
      const pay = async (fee: bigint) => {
        const paid = [address, parseDecimal(pays, 8) ?? 0n] as const
        return await litecoind.send(await litecoind.sign(coin, [paid], fee))
      }
      await nameHash(app, { id }, await pay(20_000n))
      await followPayouts(app.services)
      const second = await pay(90_000n)
      await followPayouts(app.services)
      await litecoind.mine(CONFIRMATIONS)
      await followPayouts(app.services)
      expect(await lookAtClaim(app, one.claimed)).toMatchObject({ state: 'confirmed' })
      const { open } = app
      const again = await startUtxoApp({ nodes: { LTC: proxy.url }, environment, open })
      // Every ten minutes what was paid is looked for as well, but not each time.
      await followPayouts(again.services, false)
      await again.close()
      const batch = await lookAtBatch(app, id)
      expect(batch.named_transactions[0]?.note).toContain(`replaced by ${second}`)
      expect(batch.formats).not.toEqual([])
      expect((await fileOf(app, id)).body.text).toContain(other.claimed.address)
    })
  })
})
