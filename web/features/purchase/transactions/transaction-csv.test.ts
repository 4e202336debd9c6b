import { expect, test } from 'vitest'
import {
  aWireReceipt,
  aWireRefund,
  aWireTransaction,
} from '#tests/kit/builders/a-wire-transaction.ts'
import { transactionList as texts } from '#web/messages/en/transaction-list.ts'
import { transactionsCsv } from './transaction-csv.ts'

const rowsOf = (text: string) =>
  text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

test('has a heading and a row for each transaction, with exact figures and no separators', () => {
  const paid = aWireTransaction({
    status: 'completed',
    completed_date: '2030-01-01T00:10:00Z',
    actual_purchase_amount_fiat: 1234.567891,
    initial_purchase_amount_crypto: 0.39780927,
    token_price: 0.0000001,
    tokens: {
      base: 12_345_678.25,
      bonuses: { base_bonus: 0.1, tiered_fiat_bonus: 0.2 },
      total: 12_345_678.55,
    },
    receipts: [{ ...aWireReceipt('0.397809270000000001'), transaction_hash: '0xabc' }],
    refunds: [aWireRefund({ status: 'paid', amount: '0.5', sent_amount: '0.499' }), aWireRefund()],
  })
  const reward = aWireTransaction({ type: 'referral', payment_token: null })
  const [headings = [], first = [], second = []] = rowsOf(
    transactionsCsv([paid, reward], 'HUH', texts.csv.headings),
  )
  const cell = (heading: string, row = first) => row[headings.indexOf(heading)]
  expect(headings).toHaveLength(18)
  expect(cell('Number')).toBe(paid.id)
  expect(cell('Amount to pay')).toBe('0.39780927')
  expect(cell('Amount arrived')).toBe('0.397809270000000001')
  expect(cell('Credited (USD)')).toBe('1234.567891')
  expect(cell('Token price (USD)')).toBe('0.0000001')
  expect(cell('Tokens bought')).toBe('12345678.25')
  expect(cell('Bonus tokens')).toBe('0.3')
  expect(cell('Refunds')).toBe('0.499 ETH paid; 0.1 ETH due')
  expect(cell('Payments')).toBe('0xabc')
  expect(cell('Network')).toBe('Ethereum (ERC20)')
  expect(cell('Coin', second)).toBe('')
})

test('lists tokens that were credited alone, at the price that was paid for them', () => {
  const tokens = { base: 1000, bonuses: { base_bonus: 100 }, total: 1100 }
  const late = {
    status: 'completed',
    status_reason: 'late',
    token_price: 1,
    actual_purchase_amount_fiat: 2000,
  } as const
  const rows = [
    aWireTransaction({ ...late, tokens }),
    ...(['pending', 'processing', 'expired', 'failed'] as const).map((status) =>
      aWireTransaction({ status, tokens }),
    ),
    aWireTransaction({ type: 'referral', status: 'failed', payment_token: null, tokens }),
  ]
  const [headings = [], ...cells] = rowsOf(transactionsCsv(rows, 'HUH', texts.csv.headings))
  const columnOf = (heading: string) => cells.map((row) => row[headings.indexOf(heading)])
  const lost = ['0', '0', '0', '0', '0']
  expect(columnOf('Tokens bought')).toEqual(['1000', ...lost])
  expect(columnOf('Bonus tokens')).toEqual(['100', ...lost])
  expect(columnOf('Tokens in total')).toEqual(['1100', ...lost])
  expect(columnOf('Token price (USD)')[0]).toBe('2')
})

test.each([
  [
    '=HYPERLINK("https://evil.example","click")',
    `"'=HYPERLINK(""https://evil.example"",""click"")"`,
  ],
  ['@SUM(1)', "'@SUM(1)"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  [' =1', "' =1"],
  ['PEAR', 'PEAR'],
])('a name that is a formula is written as a text: %s', (symbol, written) => {
  const text = transactionsCsv([aWireTransaction()], symbol, texts.csv.headings)
  expect(text).toContain(`,${written},`)
})
