import { expect, test } from 'vitest'
import { aPaymentToken } from '#tests/kit/builders/domain-builders.ts'
import { payoutsCsv } from './payout-files.ts'

const eth = aPaymentToken({ id: 'eth', symbol: 'ETH', decimals: 18 })
const usdt = aPaymentToken({ id: 'usdt', symbol: '=USDT', decimals: 6 })
const batch = {
  id: 3n,
  chain: 'eip155:1',
  createdAt: new Date('2026-11-23T00:00:00Z'),
  payouts: [
    { id: 'a', address: '0x1', paymentToken: usdt, amount: 10n ** 20n },
    { id: 'b', address: '0x2', paymentToken: eth, amount: 1n },
    { id: 'c', address: '0x3', paymentToken: usdt, amount: 1n },
  ],
}

test('the list for hands has whole units, and runs in no spreadsheet', () => {
  expect(payoutsCsv(batch)).toBe(
    '"claim","chain","symbol","address","amount"\r\n' +
      `"a","eip155:1","'=USDT","0x1","100000000000000"\r\n` +
      '"b","eip155:1","ETH","0x2","0.000000000000000001"\r\n' +
      `"c","eip155:1","'=USDT","0x3","0.000001"\r\n`,
  )
})
