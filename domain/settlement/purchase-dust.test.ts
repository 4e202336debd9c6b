import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import { settlePurchase } from './settle.ts'
import { leastCpuMs } from '#tests/kit/builders/cpu-time.ts'
import { aReceipt, minute, someFacts, tokens } from '#tests/kit/builders/domain-builders.ts'

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
