import { base64, createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { cryptoAmount } from '#domain/money.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Payout, PayoutBatch, Payouts } from '#server/ports/payouts.ts'
import { makeBatchFile } from '#server/use-cases/refunds/make-batch-file.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { anApprovedClaim, cancelBatch, loggedIn, reject } from '#tests/kit/builders/a-claim.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { aChainBatch } from '#tests/kit/payouts/a-chain-batch.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { addressOf, CONFIRMATIONS } from '#tests/kit/servers/evm-app.ts'
import { type Litecoind, mainnet, startLitecoind } from '#tests/kit/servers/litecoind.ts'
import type { RpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { nothingElse, payoutsOf } from '#tests/kit/payouts/payouts-of.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { aUtxoCoin, playMainnet, startUtxoApp } from '#tests/kit/servers/utxo-app.ts'

const CHAIN = 'litecoin'
const PATH = "m/84'/2'/0'"
const COIN = 100_000_000n
const ltc = aUtxoCoin('LTC')
const root = HDKey.fromMasterSeed(Buffer.from(randomUUID().padEnd(64, '.')))
const account = root.derive(PATH)
const sha256 = (bytes: Uint8Array) => Uint8Array.from(createHash('sha256').update(bytes).digest())

describe('a PSBT that spends what the sale has received', () => {
  let litecoind: Litecoind
  let proxy: RpcProxy
  let app: TestApp
  let payouts: Payouts

  beforeAll(async () => {
    litecoind = await startLitecoind()
    proxy = await playMainnet('LTC', litecoind.url)
    const fingerprint = root.fingerprint.toString(16).padStart(8, '0')
    app = await startUtxoApp({
      nodes: { LTC: proxy.url },
      environment: {
        LTC_XPUB: account.publicExtendedKey,
        LTC_KEY_ORIGIN: `[${fingerprint}/84h/2h/0h]`,
      },
    })
    payouts = payoutsOf(app, 'utxo')
  })
  afterAll(async () => {
    await app.close()
    await proxy.stop()
    await litecoind.stop()
  })

  /** Money on addresses of the sale, of which the node's wallet then has the keys as well. */
  async function received(...amounts: bigint[]): Promise<void> {
    for (const amount of amounts) {
      const purchase = await aPurchase(app, await aUser(app), { token: 'ltc' })
      await litecoind.pay([addressOf(purchase), amount])
    }
    await litecoind.mine(CONFIRMATIONS)
    await watchChains(app.services)
    const rows = await app.open.database.selectFrom('derived_addresses').selectAll().execute()
    for (const { derivation_index: index } of rows) {
      const { privateKey } = account.derive(`m/0/${index}`)
      if (privateKey === null) throw new Error('No private key.')
      const wif = createBase58check(sha256).encode(Uint8Array.of(0xef, ...privateKey, 1))
      await litecoind.rpc('importprivkey', wif, 'sale', false)
    }
  }

  async function aBatch(...amounts: bigint[]): Promise<PayoutBatch & { sinceHeight: bigint }> {
    const sinceHeight = BigInt(await litecoind.height())
    const createdAt = app.clock.now()
    const { id } = await app.open.database
      .insertInto('refund_batches')
      .values({ rail: 'utxo', chain: CHAIN, since_height: sinceHeight, created_at: createdAt })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made = amounts.map(async (amount): Promise<Payout> => {
      const address = mainnet(await litecoind.rpc<string>('getnewaddress', '', 'bech32'))
      return { id: randomUUID(), address, paymentToken: ltc, amount: cryptoAmount(amount) }
    })
    return { id, chain: CHAIN, createdAt, sinceHeight, payouts: await Promise.all(made) }
  }

  const spentBy = (psbt: string) => {
    const transaction = Transaction.fromPSBT(base64.decode(psbt.trim()))
    return Array.from({ length: transaction.inputsLength }, (_, nth) => {
      const { txid, index } = transaction.getInput(nth)
      return `${Buffer.from(txid ?? []).toString('hex')}:${index}`
    })
  }

  it('is signed by a wallet, sent, found and confirmed', async () => {
    await received(2n * COIN, 3n * COIN, COIN)
    expect(payouts.formats(CHAIN)[0]).toBe('psbt')
    const batch = await aBatch(250_000_001n, 100_000_000n)
    const { text, name } = await payouts.makeFile(batch, 'psbt')
    expect(name).toBe(`payouts-${batch.id}-litecoin.psbt`)
    // What another file pays is found by its name alone from now on.
    expect((await payouts.makeFile(batch, 'sendmany')).note).toMatch(/name the transaction/i)
    const { note } = await payouts.makeFile(await aBatch(COIN), 'sendmany')
    expect(note).not.toMatch(/name the transaction/i)

    const decoded = await litecoind.rpc<{
      inputs: { bip32_derivs: { path: string; master_fingerprint: string }[] }[]
      outputs: { bip32_derivs?: { path: string }[] }[]
      fee: number
    }>('decodepsbt', text.trim())
    expect(decoded.inputs).toHaveLength(2)
    for (const { bip32_derivs: derivs } of decoded.inputs) {
      expect(derivs[0]?.path).toMatch(/^m\/84'\/2'\/0'\/0\/\d+$/)
      expect(derivs[0]?.master_fingerprint).toBe(root.fingerprint.toString(16).padStart(8, '0'))
    }
    expect(decoded.outputs.at(-1)?.bip32_derivs?.[0]?.path).toBe("m/84'/2'/0'/1/0")
    expect(decoded.fee).toBeGreaterThan(0)
    expect(decoded.fee).toBeLessThan(0.01)

    // Hardware wallets want the transactions that the coins come from.
    const built = Transaction.fromPSBT(base64.decode(text.trim()))
    expect([0, 1].map((nth) => built.getInput(nth).nonWitnessUtxo === undefined)).toEqual([
      false,
      false,
    ])

    const signed = await litecoind.rpc<{ psbt: string; complete: boolean }>(
      'walletprocesspsbt',
      text.trim(),
    )
    expect(signed.complete).toBe(true)
    const { hex } = await litecoind.rpc<{ hex: string }>('finalizepsbt', signed.psbt)
    // Somebody else's transfers of the same amounts spend none of its coins.
    const coins = spentBy(text).map((name) => name.split(':'))
    const locked = coins.map(([txid, vout]) => ({ txid, vout: Number(vout) }))
    await litecoind.rpc('lockunspent', false, locked)
    for (const { address, amount } of batch.payouts) await litecoind.pay([address, amount])
    await litecoind.mine()
    const { sinceHeight } = batch
    const search = { ...nothingElse, sinceHeight, own: { batchId: batch.id, named: [] } }
    const find = async () => (await payouts.find(CHAIN, batch.payouts, search)).found
    expect(await find()).toEqual([])
    const hash = await litecoind.send(hex)
    expect(await find()).toMatchObject(
      [0, 1].map(() => ({ transactionHash: hash, confirmations: 0 })),
    )
    await litecoind.mine(CONFIRMATIONS)
    expect(await find()).toMatchObject(
      [0, 1].map(() => ({ transactionHash: hash, confirmations: CONFIRMATIONS })),
    )
    const paid = await litecoind.rpc<{ vsize: number }>('decoderawtransaction', hex)
    // The estimate of the size is close, and never short of what nodes pass on.
    expect(Math.round(decoded.fee * 1e8) / paid.vsize).toBeGreaterThanOrEqual(1)
    await expect(payouts.makeFile(batch, 'psbt')).rejects.toThrow(/have been spent/)
  })

  it('is the same each time, and leaves its coins to no other batch', async () => {
    await received(4n * COIN, 4n * COIN)
    const [one, other] = [await aBatch(3n * COIN), await aBatch(3n * COIN)]
    const first = await payouts.makeFile(one, 'psbt')
    expect(await payouts.makeFile(one, 'psbt')).toEqual(first)
    const second = await payouts.makeFile(other, 'psbt')
    const shared = spentBy(first.text).filter((coin) => spentBy(second.text).includes(coin))
    expect(shared).toEqual([])
    const changes = await app.open.database
      .selectFrom('payout_psbts')
      .select('change_index')
      .execute()
    expect(new Set(changes.map(({ change_index }) => change_index)).size).toBe(changes.length)

    // Whoever has signed that of a cancelled batch cannot pay its successor as well.
    await app.open.database
      .updateTable('refund_batches')
      .set({ state: 'cancelled', reason: 'a test', closed_at: app.clock.now() })
      .where('id', '=', one.id)
      .execute()
    const third = await payouts.makeFile({ ...(await aBatch()), payouts: one.payouts }, 'psbt')
    expect(spentBy(third.text)).toEqual(spentBy(first.text))

    // What a batch has lost is not paid by its former PSBT.
    const [kept] = other.payouts
    if (kept === undefined) throw new Error('The batch has no payout.')
    const changed = { ...other, payouts: [{ ...kept, amount: cryptoAmount(kept.amount + 1n) }] }
    await expect(payouts.makeFile(changed, 'psbt')).rejects.toThrow(/has changed/)
  })

  it('spends the coins of a former one too where its claim was rejected and made again', async () => {
    await received(8n * COIN, 9n * COIN)
    await refreshPrices(app.services)
    const anAddress = async () => mainnet(await litecoind.rpc('getnewaddress', '', 'bech32'))
    const overpay = async (to: string, amount: bigint) => {
      await litecoind.pay([to, amount])
      await litecoind.mine(CONFIRMATIONS)
    }
    const wanted = { token: 'ltc', address: await anAddress() }
    const { batch, claimed, buyer } = await aChainBatch(app, overpay, wanted)
    const fileOf = async (id: string) => await makeBatchFile(app.services, BigInt(id), 'psbt')
    const former = await fileOf(batch.id)
    await cancelBatch(app, batch)
    await reject(app, claimed)
    const back = { ...buyer, ...(await loggedIn(app, buyer)) }
    await anApprovedClaim(app, back, { address: await anAddress() })
    const input = { headers: named, body: { rail: 'utxo', chain: CHAIN } }
    const call = refundBatchesContract.makeRefundBatch
    const next = (await app.client.call(call, input, operator)).body.batch
    const { text } = await fileOf(next.id)
    expect(spentBy(text)).toEqual(expect.arrayContaining(spentBy(former.text)))
  })

  it('is not made while a cancelled batch with its payouts is on its way', async () => {
    await received(5n * COIN, 5n * COIN)
    const batch = await aBatch(4n * COIN)
    const { text } = await payouts.makeFile(batch, 'psbt')
    const signed = await litecoind.rpc<{ psbt: string }>('walletprocesspsbt', text.trim())
    const { hex } = await litecoind.rpc<{ hex: string }>('finalizepsbt', signed.psbt)
    await app.open.database
      .updateTable('refund_batches')
      .set({ state: 'cancelled', reason: 'a test', closed_at: app.clock.now() })
      .where('id', '=', batch.id)
      .execute()
    await litecoind.send(hex)
    const next = { ...(await aBatch()), payouts: batch.payouts }
    const make = () => payouts.makeFile(next, 'psbt')
    await expect(make()).rejects.toThrow(/cancelled batch .* seems to have been sent/)
    await litecoind.mine(CONFIRMATIONS)
    await expect(make()).rejects.toThrow(/cancelled batch .* seems to have been sent/)
  })

  it('is not made while only another batch stands against the PSBT of its cancelled one', async () => {
    await received(7n * COIN, 6n * COIN)
    const close = async ({ id }: PayoutBatch, state: 'cancelled' | 'confirmed') => {
      const closed = { state, reason: 'a test', closed_at: app.clock.now() }
      await app.open.database
        .updateTable('refund_batches')
        .set(closed)
        .where('id', '=', id)
        .execute()
    }
    const first = await aBatch(3n * COIN, 2n * COIN)
    const [one, other] = first.payouts.map((payout) => [payout])
    const former = await payouts.makeFile(first, 'psbt')
    await close(first, 'cancelled')
    // Others leave its coins to those that pay the same, as long as they find different ones.
    const unrelated = await payouts.makeFile(await aBatch(COIN), 'psbt')
    expect(spentBy(unrelated.text).some((coin) => spentBy(former.text).includes(coin))).toBe(false)

    const second = { ...(await aBatch()), payouts: one ?? [] }
    const { text } = await payouts.makeFile(second, 'psbt')
    expect(spentBy(text)).toEqual(expect.arrayContaining(spentBy(former.text)))
    const third = { ...(await aBatch()), payouts: other ?? [] }
    const make = () => payouts.makeFile(third, 'psbt')
    await expect(make()).rejects.toThrow(`in the PSBT of batch ${second.id}. Wait until that is`)

    const signed = await litecoind.rpc<{ psbt: string }>('walletprocesspsbt', text.trim())
    const { hex } = await litecoind.rpc<{ hex: string }>('finalizepsbt', signed.psbt)
    await litecoind.send(hex)
    await litecoind.mine(CONFIRMATIONS)
    await expect(make()).rejects.toThrow(/Wait until that is confirmed/)
    await close(second, 'confirmed')
    await received(4n * COIN)
    expect((await make()).note).toContain('Sign it within the hour')
  })

  it('is not made of more than there is, and the sentence says what is missing', async () => {
    const batch = await aBatch(1_000n * COIN)
    await expect(payouts.makeFile(batch, 'psbt')).rejects.toThrow(Unavailable)
    await expect(payouts.makeFile(batch, 'psbt')).rejects.toThrow(/Take another file/)
  })
})
