import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import { settlePurchase } from './settle.ts'
import { leastCpuMs } from '#tests/kit/builders/cpu-time.ts'
import { aReceipt, eth, minute, someFacts, tokens } from '#tests/kit/builders/domain-builders.ts'
import { settleWith } from '#tests/kit/model/purchase-summary.ts'
import { CREDITED_RECEIPTS_MAX } from './crediting.ts'

const RECEIPTS = 50_000
/** A third of the time after which the database ends an idle transaction. */
const WITHIN_MS = 1_000

test('fifty thousand late specks of dust are settled within a second', async () => {
  const receipts = Array.from({ length: RECEIPTS }, (_, index) =>
    aReceipt('0', {
      id: `receipt-${(index * 7_919) % RECEIPTS}`,
      amount: cryptoAmount(10n ** 15n + BigInt((index * 31_337) % RECEIPTS)),
      seenAt: minute(40 + (index % 50)),
    }),
  )
  const facts = someFacts({ receipts, chainReadThrough: minute(200) })
  const settle = () => settlePurchase(facts, () => tokens('1000000'))

  const { grants, refunds } = settle()
  expect(grants).toHaveLength(20)
  expect(refunds).toHaveLength(RECEIPTS - 20)
  expect(await leastCpuMs(settle, WITHIN_MS)).toBeLessThanOrEqual(WITHIN_MS)
}, 120_000)

test('of one more equal payment than can be credited the last is owed back', () => {
  const receipts = Array.from({ length: CREDITED_RECEIPTS_MAX + 1 }, (_, nth) =>
    aReceipt('0.0025', { id: `receipt-${nth}`, seenAt: minute(1 + nth / 10) }),
  )
  const { credited, refunds } = settleWith({ receipts: receipts.toReversed() })

  expect(credited.crypto).toBe(eth('0.5'))
  expect(refunds).toEqual([
    { receiptId: `receipt-${CREDITED_RECEIPTS_MAX}`, amount: eth('0.0025'), why: 'overpaid' },
  ])
})
