import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { parseDecimal } from '#domain/money.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import { aChainBatch, type Overpay } from '#tests/kit/payouts/a-chain-batch.ts'
import {
  cancelBatch,
  doublePaymentsOf,
  loggedIn,
  lookAtBatch,
  lookAtClaim,
  refundsOf,
} from '#tests/kit/builders/a-claim.ts'
import { expectAllWell } from '#tests/kit/builders/a-purchase.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { type Anvil, startAnvil, transferCall } from '#tests/kit/servers/anvil.ts'
import {
  aCoin,
  aToken,
  CONFIRMATIONS,
  readAndLook,
  startEvmApp,
} from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, mainnet, regtest, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { playMainnet, startUtxoApp } from '#tests/kit/servers/utxo-app.ts'

/** What a chain's wallet has to do in the story of a claim. */
type Wallet = {
  overpay: Overpay
  mine(count: number): Promise<void>
  /** Sends what the file of a batch says; gives the hash. */
  send(file: string, pays: bigint): Promise<string>
}

/** From an overpaid purchase to a refund that is confirmed, with a wallet that signs elsewhere. */
async function expectTheWholeWay(
  app: TestApp,
  wallet: Wallet,
  {
    token,
    address,
    format,
    decimals,
  }: Record<'token' | 'address', string> & {
    format: PayoutFormat
    decimals: number
  },
): Promise<void> {
  const { client } = app
  const { buyer, purchase, claimed, batch } = await aChainBatch(app, wallet.overpay, {
    token,
    address,
  })
  expect(batch.formats).toContain(format)
  const file = await client.call(
    refundBatchesContract.getRefundBatchFile,
    { params: { id: batch.id, format } },
    operator,
  )
  const hash = await wallet.send(file.body.text, parseDecimal(claimed.pays, decimals) ?? 0n)
  await wallet.mine(1)
  await followPayouts(app.services)
  expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'sent', sent: 1 })
  expect(await lookAtClaim(app, claimed)).toMatchObject({
    state: 'sent',
    transaction_hash: hash,
    confirmations: 1,
  })

  await wallet.mine(CONFIRMATIONS - 1)
  await followPayouts(app.services)
  expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'confirmed', confirmed: 1 })
  const back = await loggedIn(app, buyer)
  const { owed: left, claims } = await refundsOf(app, back)
  expect(left).toEqual([])
  expect(claims).toMatchObject([{ state: 'confirmed', transaction_hash: hash }])
  expect((await readAndLook(app, { ...buyer, ...back }, purchase)).refunds).toMatchObject([
    { status: 'paid', amount: claimed.amount, transaction_hash: hash },
  ])
  await expectAllWell(app)
}

describe('a refund is claimed, sent by a wallet and confirmed', () => {
  describe('on an EVM chain', () => {
    let anvil: Anvil
    let app: TestApp
    let usdt: string
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'

    beforeAll(async () => {
      anvil = await startAnvil()
      usdt = await anvil.deployToken({ decimals: 6 })
      app = await startEvmApp({ nodes: { 1: anvil.url }, tokens: [aCoin(), aToken(usdt)] })
    })
    afterAll(async () => {
      await app.close()
      await anvil.stop()
    })

    const mine = async (count: number) => await anvil.mine(count)

    it('in coins', async () => {
      const wallet: Wallet = {
        mine,
        overpay: async (to, value) => {
          await anvil.send({ to, value })
          await anvil.mine(CONFIRMATIONS)
        },
        send: async (file, value) => {
          expect(file).toContain(address)
          return await anvil.send({ to: address, value })
        },
      }
      await expectTheWholeWay(app, wallet, {
        token: 'eth',
        address,
        format: 'safe_csv',
        decimals: 18,
      })
    })

    it('in tokens', async () => {
      const wallet: Wallet = {
        mine,
        overpay: async (to, amount) => {
          await anvil.transferToken(usdt, to, amount)
          await anvil.mine(CONFIRMATIONS)
        },
        send: async (file) => {
          const { transactions }: { transactions: { to: string; data: string }[] } =
            JSON.parse(file)
          expect(transactions).toHaveLength(1)
          return await anvil.send({
            to: transactions[0]?.to ?? '',
            data: transactions[0]?.data ?? '',
          })
        },
      }
      await expectTheWholeWay(app, wallet, {
        token: 'usdt',
        address,
        format: 'safe_transactions',
        decimals: 6,
      })
    })

    describe('and if it is mined again behind another transfer', () => {
      const overpay: Overpay = async (to, amount) => {
        await anvil.transferToken(usdt, to, amount)
        await anvil.mine(CONFIRMATIONS)
      }

      async function aPayer() {
        const payer = await anvil.deployPayer()
        await anvil.transferToken(usdt, payer, 10n ** 12n)
        await anvil.mine()
        return payer
      }

      /** Sends a transaction; takes back its blocks, and mines it behind a log of somebody else. */
      async function reorganise(send: () => Promise<string>, blocks: number) {
        const snapshot = await anvil.rpc('evm_snapshot')
        const hash = await send()
        await anvil.mine(blocks)
        await followPayouts(app.services)
        const raw = await anvil.rpc('eth_getRawTransactionByHash', [hash])
        await anvil.rpc('evm_revert', [snapshot])
        const [, stranger = ''] = await anvil.rpc<string[]>('eth_accounts')
        await anvil.send({ from: stranger, to: usdt, data: transferCall(usdt, 0n) })
        expect(await anvil.rpc('eth_sendRawTransaction', [raw])).toBe(hash)
        await anvil.mine(CONFIRMATIONS + 1)
        await followPayouts(app.services)
      }

      it('is no second payment', async () => {
        const { batch, claimed } = await aChainBatch(app, overpay, { token: 'usdt', address })
        const pays = parseDecimal(claimed.pays, 6) ?? 0n
        const pay = () => anvil.transferToken(usdt, address, pays)
        await reorganise(pay, CONFIRMATIONS)
        expect(await lookAtBatch(app, batch.id)).toMatchObject({ state: 'confirmed' })
        expect(await doublePaymentsOf(app)).toEqual([])
        // What another transaction pays is as many as it pays, found one by one.
        await anvil.call(await aPayer(), 'payTwice', [usdt, address, pays, pays])
        await anvil.mine(CONFIRMATIONS)
        await followPayouts(app.services)
        await followPayouts(app.services)
        expect(await doublePaymentsOf(app)).toHaveLength(2)
      })

      it('pays both claims that it has paid at once', async () => {
        const made = [
          await aChainBatch(app, overpay, { token: 'usdt', address }),
          await aChainBatch(app, overpay, { token: 'usdt', address }),
        ]
        for (const { batch } of made) await cancelBatch(app, batch)
        const [{ rail, chain } = { rail: '', chain: '' }] = made.map(({ batch }) => batch)
        const input = { headers: named, body: { rail, chain } }
        const joint = await app.client.call(refundBatchesContract.makeRefundBatch, input, operator)
        const { id } = joint.body.batch
        const pays = made.map(({ claimed }) => parseDecimal(claimed.pays, 6) ?? 0n)
        const payer = await aPayer()
        const payBoth = () => anvil.call(payer, 'payTwice', [usdt, address, ...pays])
        await reorganise(payBoth, 1)
        expect(await lookAtBatch(app, id)).toMatchObject({ state: 'confirmed', confirmed: 2 })
        await expectAllWell(app)
      })
    })
  })

  describe('in a coin of the Bitcoin family', () => {
    let litecoind: Litecoind
    let proxy: RpcProxy
    let app: TestApp

    beforeAll(async () => {
      litecoind = await startLitecoind()
      proxy = await playMainnet('LTC', litecoind.url)
      app = await startUtxoApp({ nodes: { LTC: proxy.url } })
    })
    afterAll(async () => {
      await app.close()
      await proxy.stop()
      await litecoind.stop()
    })

    it('by the lines of sendmany', async () => {
      const address = mainnet(await litecoind.rpc<string>('getnewaddress', '', 'bech32'))
      const wallet: Wallet = {
        mine: async (count) => {
          await litecoind.mine(count)
        },
        overpay: async (to, amount) => {
          await litecoind.pay([to, amount])
          await litecoind.mine(CONFIRMATIONS)
        },
        send: async (file) => {
          const amounts: Record<string, string> = JSON.parse(file)
          const own = Object.entries(amounts).map(([to, amount]) => [regtest(to), amount])
          return await litecoind.rpc<string>('sendmany', '', Object.fromEntries(own))
        },
      }
      await expectTheWholeWay(app, wallet, {
        token: 'ltc',
        address,
        format: 'sendmany',
        decimals: 8,
      })
    })
  })
})
