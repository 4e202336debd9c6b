import { decodeFunctionData, erc20Abi, keccak256, stringToBytes } from 'viem'
import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import type { PayoutBatch } from '#server/ports/payouts.ts'
import { aPaymentToken } from '#tests/kit/builders/domain-builders.ts'
import { makeEvmFile } from './payout-files.ts'
import { serialise } from './safe-transactions.ts'

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const CONTRACT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const eth = aPaymentToken({ id: 'eth', symbol: 'ETH', decimals: 18 })
const usdt = aPaymentToken({ id: 'usdt', symbol: 'USDT', decimals: 6, contract: CONTRACT })
const batch: PayoutBatch = {
  id: 12n,
  chain: 'eip155:1',
  createdAt: new Date('2026-11-23T00:00:00Z'),
  payouts: [
    {
      id: 'a1',
      address: ADDRESS,
      paymentToken: eth,
      amount: cryptoAmount(123_456_789_012_345_678_901n),
    },
    { id: 'a2', address: ADDRESS, paymentToken: usdt, amount: cryptoAmount(1n) },
  ],
}

test('the Safe app “CSV Airdrop” gets its own columns, and no amount in scientific notation', async () => {
  expect(await makeEvmFile(1, batch, 'safe_csv')).toMatchObject({
    name: 'payouts-12-eip155-1.safe.csv',
    text:
      'token_type,token_address,receiver,amount,id\n' +
      `native,,${ADDRESS},123.456789012345678901,\n` +
      `erc20,${CONTRACT},${ADDRESS},0.000001,\n`,
  })
})

test('the Transaction Builder gets base units and a checksum that holds', async () => {
  const { text } = await makeEvmFile(1, batch, 'safe_transactions')
  const file = JSON.parse(text)
  expect(file).toMatchObject({ version: '1.0', chainId: '1', createdAt: 1_795_392_000_000 })
  const [coins, tokens] = file.transactions
  expect(coins).toEqual({ to: ADDRESS, value: '123456789012345678901', data: '0x' })
  expect(tokens).toMatchObject({ to: CONTRACT, value: '0' })
  expect(decodeFunctionData({ abi: erc20Abi, data: tokens.data })).toEqual({
    functionName: 'transfer',
    args: [ADDRESS, 1n],
  })
  const { checksum, ...meta } = file.meta
  const checked = serialise({ ...file, meta: { ...meta, name: null } })
  expect(checksum).toBe(keccak256(stringToBytes(checked)))
})

test('of coins that a Safe sends, operators read that they are found by a name alone', async () => {
  const [, tokens] = batch.payouts
  const onlyTokens = { ...batch, payouts: tokens === undefined ? [] : [tokens] }
  for (const format of ['safe_csv', 'safe_transactions'] as const) {
    expect((await makeEvmFile(1, batch, format)).note).toContain('name the transaction')
    expect((await makeEvmFile(1, onlyTokens, format)).note).not.toContain('name the transaction')
  }
})

test('a checksum is as the Transaction Builder 1.18.2 itself has made it', () => {
  const inputs = [
    { internalType: 'address', name: 'spender', type: 'address' },
    { internalType: 'uint256', name: 'value', type: 'uint256' },
  ]
  const file = {
    version: '1.0',
    chainId: '1',
    createdAt: 1_761_326_849_944,
    meta: {
      name: null,
      description: '',
      txBuilderVersion: '1.18.2',
      createdFromSafeAddress: '0xA77DE01e157f9f57C7c4A326eeE9C4874D0598b6',
      createdFromOwnerAddress: '',
    },
    transactions: [
      {
        to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        value: '0',
        data: null,
        contractMethod: { inputs, name: 'approve', payable: false },
        contractInputsValues: {
          spender: '0x474e5Ded6b5D078163BFB8F6dBa355C3aA5478C8',
          value: '100000000000',
        },
      },
    ],
  }
  expect(keccak256(stringToBytes(serialise(file)))).toBe(
    '0x8b5032f716845c8b08bab3d63dbd9ba92e056f3557793cd041e59b84e16aa989',
  )
})

test('the same batch makes the same file', async () => {
  for (const format of ['safe_csv', 'safe_transactions', 'csv'] as const) {
    expect(await makeEvmFile(1, batch, format)).toEqual(await makeEvmFile(1, batch, format))
  }
})
