import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import type { Payout, PayoutBatch } from '#server/ports/payouts.ts'
import { aPaymentToken } from '#tests/kit/builders/domain-builders.ts'
import { coins } from './coins.ts'
import { listFormats, makeListFile } from './payout-files.ts'

const [btc, ltc, doge] = coins
if (btc === undefined || ltc === undefined || doge === undefined) throw new Error('No coins.')

const paymentToken = aPaymentToken({ id: 'btc', symbol: 'BTC', decimals: 8 })
const IDS = ['0f3c5a1e-0000-4000-8000-000000000001', '0f3c5a1e-0000-4000-8000-000000000002']
const ADDRESSES = [
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
]
const payout = (nth: number, amount: bigint): Payout => ({
  id: IDS[nth] ?? '',
  address: ADDRESSES[nth] ?? '',
  paymentToken,
  amount: cryptoAmount(amount),
})
const batch: PayoutBatch = {
  id: 7n,
  chain: 'bitcoin',
  createdAt: new Date('2026-11-23T00:00:00Z'),
  // As a binary float the first is a satoshi short; the second is one that would get an exponent.
  payouts: [payout(0, 29_000_000n), payout(1, 1n)],
}

test('Sparrow gets satoshis, which it reads exactly', () => {
  expect(makeListFile(btc, batch, 'sparrow')).toMatchObject({
    name: 'payouts-7-bitcoin.sparrow.csv',
    text: [
      'Address,Amount (sats),Label\n',
      `${ADDRESSES[0]},29000000,Refund ${IDS[0]}\n`,
      `${ADDRESSES[1]},1,Refund ${IDS[1]}\n`,
    ].join(''),
    note: expect.stringContaining('sats'),
  })
})

test('Electrum gets an address and an amount a line, and nothing else', () => {
  expect(makeListFile(btc, batch, 'electrum').text).toBe(
    `${ADDRESSES[0]}, 0.29\n${ADDRESSES[1]}, 0.00000001\n`,
  )
})

test('a node gets amounts by address', () => {
  expect(makeListFile(doge, batch, 'sendmany').text).toBe(
    `{"${ADDRESSES[0]}":"0.29","${ADDRESSES[1]}":"0.00000001"}\n`,
  )
})

test('two payouts to one address are not merged into one', () => {
  const twice = {
    ...batch,
    payouts: [payout(0, 1n), { ...payout(1, 2n), address: ADDRESSES[0] ?? '' }],
  }
  expect(() => makeListFile(btc, twice, 'sendmany')).toThrow(/same address/)
  expect(makeListFile(btc, twice, 'electrum').text.split('\n')).toHaveLength(3)
})

test('each coin has the files that its wallets read', () => {
  expect([btc, ltc, doge].map((coin) => listFormats(coin).join())).toEqual([
    'sparrow,electrum,sendmany,csv',
    'electrum,sendmany,csv',
    'sendmany,csv',
  ])
})

test('a batch of nothing, of too much, or with a name of somebody’s choice is no file', () => {
  const many = Array.from({ length: 201 }, () => payout(0, 1n))
  for (const payouts of [[], many, [payout(0, 0n)], [{ ...payout(0, 1n), id: '=1+1' }]]) {
    expect(() => makeListFile(btc, { ...batch, payouts }, 'sparrow')).toThrow(
      /do not fit|id of its claim/,
    )
  }
})
