import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import { shareFee } from '#domain/refunds/claim-terms.ts'
import type { PurchaseFacts, ReceiptFact } from './facts.ts'
import {
  aReceipt,
  minute,
  sameMarket,
  someFacts,
  someTerms,
} from '#tests/kit/builders/domain-builders.ts'
import { ClaimedPurchase } from '#tests/kit/model/claimed-purchase.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'

const receiptOf = fc.record({
  /** In thousandths of what is due. */
  part: fc.oneof(fc.constantFrom(50, 500, 1000, 1500), fc.integer({ min: 1, max: 5000 })),
  at: fc.constantFrom(5, 20, 31, 40),
  market: fc.constantFrom(sameMarket, null),
})

const NTH = fc.integer({ min: 0, max: 2 })
const actOf = fc.oneof(
  fc.record({ act: fc.constantFrom('promise', 'promise', 'release', 'pay', 'toggle'), nth: NTH }),
  fc.record({ act: fc.constantFrom('fail', 'let go', 'settle'), nth: NTH }),
)

test(
  'whatever happens to what is promised, the books agree and nothing is spent twice',
  patiently,
  () => {
    const reached = { promise: 0, release: 0, pay: 0 }
    fc.assert(
      fc.property(
        fc.array(receiptOf, { minLength: 1, maxLength: 3 }),
        fc.array(actOf, { maxLength: 14 }),
        (given, acts) => {
          const terms = someTerms()
          const receipts = given.map(({ part, at, market }, nth): ReceiptFact =>
            aReceipt('1', {
              id: `receipt-${nth}`,
              amount: cryptoAmount((terms.cryptoDue * BigInt(part)) / 1000n),
              seenAt: minute(at),
              market,
            }),
          )
          const facts = someFacts({ terms, receipts, chainReadThrough: minute(60) })
          const purchase = new ClaimedPurchase(facts)
          for (const { act, nth } of acts) {
            const id = `receipt-${nth}`
            if (act === 'promise' || act === 'release' || act === 'pay') {
              if (purchase[act](id)) reached[act] += 1
            } else {
              purchase.facts = changed(purchase.facts, act, id)
            }
            expectBalanced(purchase)
            if (act === 'promise' || act === 'pay') continue
            purchase.settle()
            expectBalanced(purchase)
            expect(purchase.spentTwice()).toEqual([])
          }
        },
      ),
      randomRuns(1_000),
    )
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(5)
  },
)

function changed(facts: PurchaseFacts, act: string, id: string): PurchaseFacts {
  const { marks, receipts } = facts
  const at = minute(61 + marks.length)
  if (act === 'fail') return { ...facts, marks: [...marks, { kind: 'failed', at }] }
  if (act === 'let go') return { ...facts, marks: [...marks, { kind: 'released', at }] }
  if (act === 'settle') return facts
  const toggled = receipts.map((receipt): ReceiptFact => {
    if (receipt.id !== id) return receipt
    return { ...receipt, state: receipt.state === 'gone' ? 'confirmed' : 'gone' }
  })
  return { ...facts, receipts: toggled }
}

test('what is promised and released is owed as before', patiently, () => {
  fc.assert(
    fc.property(fc.array(receiptOf, { minLength: 1, maxLength: 3 }), (given) => {
      const terms = someTerms()
      const receipts = given.map(({ part, at, market }, nth) =>
        aReceipt('1', {
          id: `receipt-${nth}`,
          amount: cryptoAmount((terms.cryptoDue * BigInt(part)) / 1000n),
          seenAt: minute(at),
          market,
        }),
      )
      const purchase = new ClaimedPurchase(
        someFacts({ terms, receipts, chainReadThrough: minute(60) }),
      )
      const before = purchase.outcome
      for (const { receiptId } of before.refunds) purchase.promise(receiptId)
      purchase.settle()
      expect(purchase.outcome).toMatchObject({ status: before.status, refunds: [] })
      for (const { id } of receipts) purchase.release(id)
      purchase.settle()
      expect(purchase.outcome).toEqual(before)
      expectBalanced(purchase)
    }),
    randomRuns(500),
  )
})

test('the parts of a claim bear its fee, and none more than it is', patiently, () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 20n }), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: 100n }), (given, percent) => {
      const parts = given.map((amount) => ({ amount: cryptoAmount(amount) }))
      const fee = cryptoAmount(
        (parts.reduce((total, { amount }) => total + amount, 0n) * percent) / 1000n,
      )
      const shared = shareFee(parts, fee)
      expect(shared.reduce((total, part) => total + part.fee, 0n)).toBe(fee)
      for (const { amount, fee: share } of shared) expect(share).toBeLessThanOrEqual(amount)
    }),
    randomRuns(500),
  )
})

function expectBalanced(purchase: ClaimedPurchase): void {
  const { balance, expected } = purchase.books()
  expect(balance).toEqual(expected)
}
