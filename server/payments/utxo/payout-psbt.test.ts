import { base64, hex } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import { type ExtendedKey, parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import type { OtherPsbt, PayoutBatch, PayoutRecord, Received } from '#server/ports/payouts.ts'
import { aPaymentToken } from '#tests/kit/builders/domain-builders.ts'
import { coins } from './coins.ts'
import type { UtxoNode } from './node.ts'
import { makePsbtFile } from './payout-psbt.ts'

const [btc] = coins
if (btc === undefined) throw new Error('No coins.')
const coin = btc
const root = HDKey.fromMasterSeed(new Uint8Array(64).fill(7))
const account = root.derive(coin.path)
const rules = { name: 'BTC_XPUB', prefixes: coin.prefixes, path: coin.path }
const key = parseExtendedKey(account.publicExtendedKey, rules) as ExtendedKey
const line = { coin, key, origin: { fingerprint: root.fingerprint, path: [84, 0, 0] } }
const CHANGE_INDEX = 3

/** What an address of the account is, by the account's private key. */
function ours(branch: number, index: number) {
  const { publicKey } = account.deriveChild(branch).deriveChild(index)
  if (publicKey === null) throw new Error('No public key.')
  const { address, script } = p2wpkh(publicKey, coin.network)
  return { address, script: hex.encode(script), publicKey: hex.encode(publicKey) }
}

/** Payments of these amounts to the sale, each of which its node calls a coin that is unspent. */
function received(...amounts: bigint[]): (Received & { depth: number; held: bigint })[] {
  return amounts.map((amount, nth) => ({
    transactionHash: String(nth).padStart(64, '0'),
    index: 0,
    blockHeight: 100n,
    amount: cryptoAmount(amount),
    derivationIndex: nth,
    address: ours(0, nth).address,
    depth: 6,
    held: amount,
  }))
}

/** The transaction that pays 100,000 satoshis to one address, at a rate for 1,000 virtual bytes. */
async function paying(
  coinsThere: ReturnType<typeof received>,
  rate: bigint,
  others: OtherPsbt[] = [],
): Promise<Transaction> {
  const there = new Map(coinsThere.map((each) => [each.transactionHash, each]))
  const node = {
    host: 'node.example',
    feeRate: async () => rate,
    blocks: async () => [],
    async unspent(id: string) {
      const { depth = 0, held = 0n, derivationIndex = 0 } = there.get(id) ?? {}
      return { amount: held, script: ours(0, derivationIndex).script, confirmations: depth }
    },
  } as Partial<UtxoNode> as UtxoNode
  const record = {
    listReceived: async () => coinsThere,
    psbts: {
      find: async () => null,
      listOthers: async () => others,
      nextChangeIndex: async () => CHANGE_INDEX,
      keep: async ({ psbt }: { psbt: string }) => psbt,
    },
  } as Partial<PayoutRecord> as PayoutRecord
  const batch: PayoutBatch = {
    id: 7n,
    chain: coin.chain,
    createdAt: new Date(),
    payouts: [
      {
        id: '0f3c5a1e-0000-4000-8000-000000000001',
        address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        paymentToken: aPaymentToken({ id: 'btc', symbol: 'BTC', decimals: 8 }),
        amount: cryptoAmount(100_000n),
      },
    ],
  }
  const { text } = await makePsbtFile(node, line, record, batch)
  return Transaction.fromPSBT(base64.decode(text.trim()))
}

/** Of a transaction with so many inputs, one payout and change. */
const sizeOf = (inputs: number) => 11n + 31n + 31n + 68n * BigInt(inputs)

test('the change goes to the key that its path names', async () => {
  const transaction = await paying(received(300_000n), 2_000n)
  const { script, bip32Derivation } = transaction.getOutput(1)
  const expected = ours(1, CHANGE_INDEX)
  expect(hex.encode(script ?? new Uint8Array())).toBe(expected.script)
  const [[publicKey, { path }] = [new Uint8Array(), { path: [] }]] = bip32Derivation ?? []
  expect([hex.encode(publicKey), path]).toEqual([expected.publicKey, [84, 0, 0, 1, CHANGE_INDEX]])
})

test('the fee is rounded up, so that it is never below the rate', async () => {
  const { fee } = await paying(received(300_000n), 1_001n)
  expect(fee).toBe((sizeOf(1) * 1_001n) / 1_000n + 1n)
})

test('what is left is no output where it would be dust, and is one above that', async () => {
  const dust = 294n
  const enough = 100_000n + sizeOf(1)
  expect(await paying(received(enough + dust), 1_000n)).toMatchObject({ outputsLength: 2 })
  const without = await paying(received(enough + dust - 1n), 1_000n)
  expect(without).toMatchObject({ outputsLength: 1, fee: sizeOf(1) + dust - 1n })
})

test('coins are taken until they pay the fee as well', async () => {
  const almost = 100_000n + sizeOf(1) - 1n
  expect(await paying(received(almost, 50_000n), 1_000n)).toMatchObject({ inputsLength: 2 })
  expect(await paying(received(almost + 1n, 50_000n), 1_000n)).toMatchObject({ inputsLength: 1 })
})

test('a coin is not spent before it is in a block, or where the node knows another amount', async () => {
  const [waiting, other, good] = received(900_000n, 800_000n, 300_000n)
  if (waiting === undefined || other === undefined || good === undefined) throw new Error('None.')
  const there = [{ ...waiting, depth: 0 }, { ...other, held: 800_001n }, good]
  const transaction = await paying(there, 1_000n)
  expect(transaction.inputsLength).toBe(1)
  expect(hex.encode(transaction.getInput(0).txid ?? new Uint8Array())).toBe(good.transactionHash)
})

test('the transaction can be replaced by one with a higher fee', async () => {
  const transaction = await paying(received(300_000n), 1_000n)
  expect(transaction.getInput(0).sequence).toBeLessThan(0xff_ff_ff_fe)
})

test('nobody pays a fee that no node means', async () => {
  expect((await paying(received(900_000n), 1_000_000n)).fee).toBe(sizeOf(1) * 1_000n)
  await expect(paying(received(900_000n), 1_000_001n)).rejects.toThrow('what fee is usual')
})

test.each(['open', 'sent'] as const)(
  'the coins of another batch that is %s are left to it',
  async (state) => {
    const [first, second] = received(300_000n, 200_000n)
    if (first === undefined || second === undefined) throw new Error('None.')
    const psbt = base64.encode((await paying([first], 1_000n)).toPSBT(0))
    const other = { batchId: 6n, psbt, state, hasLost: false }
    const transaction = await paying([first, second], 1_000n, [other])
    expect(hex.encode(transaction.getInput(0).txid ?? new Uint8Array())).toBe(
      second.transactionHash,
    )
  },
)
