import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add, cryptoAmount, tokenAmount } from '#domain/money.ts'
import type { PurchaseFacts, ReceiptFact } from './facts.ts'
import type { PurchaseOutcome } from './outcome.ts'
import { settlePurchase } from './settle.ts'
import {
  aReceipt,
  dollars,
  eth,
  minute,
  sameMarket,
  someFacts,
  someTerms,
  tokens,
} from '#tests/kit/builders/domain-builders.ts'
import { patiently } from '#tests/kit/model/random-runs.ts'

const roomy = () => tokens('1_000_000')

/** The next settlement starts from what is stored of an outcome. */
function settleNext(facts: PurchaseFacts, last: PurchaseOutcome, roomOf = roomy): PurchaseOutcome {
  const { grants, reservationLeft } = last
  return settlePurchase({ ...facts, grants, reservationLeft }, roomOf)
}

/** The same facts after the refunds of some receipts were paid. */
function payBack(
  facts: PurchaseFacts,
  { refunds }: PurchaseOutcome,
  isPaid = (_receiptId: string) => true,
): PurchaseFacts {
  const receipts = facts.receipts.map((receipt): ReceiptFact => {
    const owed = refunds.find(({ receiptId }) => receiptId === receipt.id)
    if (owed === undefined || !isPaid(receipt.id)) return receipt
    const paidBack = add(receipt.paidBack ?? cryptoAmount(0n), owed.amount)
    return { ...receipt, paidBack }
  })
  return { ...facts, receipts }
}

/** Everything in an outcome that anybody sees or the ledger holds. */
function lasting(outcome: PurchaseOutcome): PurchaseOutcome {
  return { ...outcome, grants: [] }
}

const receiptOf = fc.record({
  /** In thousandths of what is due. */
  part: fc.oneof(
    fc.constantFrom(100, 500, 995, 1000, 1010, 1500),
    fc.integer({ min: 1, max: 9000 }),
  ),
  at: fc.constantFrom(5, 10, 20, 30, 31, 40),
  isRightAsset: fc.constantFrom(true, true, true, false),
  state: fc.constantFrom(
    'confirmed' as const,
    'confirmed' as const,
    'confirmed' as const,
    'seen' as const,
  ),
  market: fc.constantFrom(sameMarket, sameMarket, null, { ...sameMarket, stageId: 'stage-2' }),
})

const storyOf = fc.record({
  receipts: fc.array(receiptOf, { minLength: 1, maxLength: 4 }),
  room: fc.constantFrom('0', '0', '50', '700', '5000', '1_000_000'),
  left: fc.constantFrom('0', '4000.000000000000000001', '11000', '11000'),
  readThrough: fc.constantFrom(20, 31, 60, 60, 60),
  isFailed: fc.constantFrom(false, false, false, true),
  paid: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
})
type Story = typeof storyOf extends fc.Arbitrary<infer T> ? T : never

function factsOf({ receipts, left, readThrough, isFailed }: Story): PurchaseFacts {
  const terms = someTerms()
  return someFacts({
    terms,
    receipts: receipts.map(({ part, at, ...rest }, index) =>
      aReceipt('1', {
        ...rest,
        id: `receipt-${index}`,
        amount: cryptoAmount((terms.cryptoDue * BigInt(part)) / 1000n),
        seenAt: minute(at),
      }),
    ),
    reservationLeft: tokens(left),
    marks: isFailed ? [{ kind: 'failed', at: minute(50) }] : [],
    chainReadThrough: minute(readThrough),
  })
}

describe('paying a refund', () => {
  test('changes nothing but what is owed', patiently, () => {
    let paidSome = 0
    fc.assert(
      fc.property(storyOf, (story) => {
        const facts = factsOf(story)
        const before = settlePurchase(facts, () => tokens(story.room))
        const isPaid = (id: string) => story.paid[Number(id.split('-')[1])] === true
        const left = before.refunds.filter(({ receiptId }) => !isPaid(receiptId))
        if (left.length < before.refunds.length) paidSome += 1
        for (const room of ['0', story.room, '1_000_000']) {
          const after = settleNext(payBack(facts, before, isPaid), before, () => tokens(room))
          expect(lasting(after)).toEqual({ ...lasting(before), refunds: left })
        }
      }),
      { numRuns: 1000 },
    )
    expect(paidSome).toBeGreaterThan(200)
  })

  test('leaves no more to credit or to owe than came and was not paid back', patiently, () => {
    fc.assert(
      fc.property(storyOf, fc.array(fc.integer({ min: 0, max: 3 })), (story, gone) => {
        const facts = factsOf(story)
        const first = settlePurchase(facts, () => tokens(story.room))
        const paid = payBack(facts, first)
        const changed = {
          ...paid,
          receipts: paid.receipts.map((receipt, index) =>
            gone.includes(index) ? { ...receipt, state: 'gone' as const } : receipt,
          ),
        }
        const second = settleNext(changed, first)
        const third = settleNext(paid, second)
        for (const [given, outcome] of [
          [changed, second],
          [paid, third],
        ] as const) {
          const here = given.receipts.filter(({ state }) => state === 'confirmed')
          const unspent = here.reduce(
            (sum, { amount, paidBack = 0n }) => sum + amount - paidBack,
            0n,
          )
          const owed = outcome.refunds.reduce((sum, { amount }) => sum + amount, 0n)
          expect(outcome.credited.crypto + owed).toBeLessThanOrEqual(unspent)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('money that was paid back', () => {
  test('of a surplus is not credited when the rest of the purchase goes', () => {
    const terms = someTerms({ maxUsd: dollars('1000') })
    const paid = aReceipt('0.5', { id: 'first' })
    const surplus = aReceipt('0.5', { id: 'second', seenAt: minute(11) })
    const facts = someFacts({ terms, receipts: [paid, surplus] })
    const before = settlePurchase(facts, roomy)
    expect(before.refunds).toEqual([{ receiptId: 'second', amount: eth('0.5'), why: 'overpaid' }])
    const [, returned] = payBack(facts, before).receipts
    if (returned === undefined) throw new Error('There is no second receipt.')
    const gone = { ...paid, state: 'gone' as const }
    const outcome = settleNext({ ...facts, receipts: [gone, returned] }, before)
    expect(outcome).toMatchObject({ credited: { crypto: 0n }, allocations: [], refunds: [] })
    const back = settleNext({ ...facts, receipts: [paid, returned] }, outcome)
    expect(back).toMatchObject({ status: 'completed', reason: 'overpaid', refunds: [] })
    expect(back.credited.crypto).toBe(eth('0.5'))
  })

  test('of an underpaid purchase is not credited when more comes late', () => {
    const short = aReceipt('0.04', { id: 'short' })
    const facts = someFacts({ receipts: [short], chainReadThrough: minute(31) })
    const before = settlePurchase(facts, roomy)
    expect(before).toMatchObject({ status: 'failed', refunds: [{ amount: eth('0.04') }] })
    const late = aReceipt('0.1', { id: 'late', seenAt: minute(40) })
    const paid = payBack(facts, before)
    const outcome = settleNext({ ...paid, receipts: [...paid.receipts, late] }, before)
    expect(outcome.credited).toMatchObject({ crypto: eth('0.1'), usd: dollars('200') })
    expect(outcome.refunds).toEqual([])
    expect(outcome.booked.map(({ amount }) => amount)).toEqual([eth('0.04'), eth('0.1')])
  })

  test('for a purchase that an operator failed stays paid when it is released', () => {
    const failed = { kind: 'failed' as const, at: minute(12) }
    const facts = someFacts({ receipts: [aReceipt('0.5')], marks: [failed] })
    const before = settlePurchase(facts, roomy)
    expect(before).toMatchObject({ status: 'failed', refunds: [{ amount: eth('0.5') }] })
    const released = { kind: 'released' as const, at: minute(13) }
    const paid = { ...payBack(facts, before), marks: [failed, released] }
    const outcome = settleNext(paid, before)
    expect(outcome).toMatchObject({ status: 'failed', refunds: [], allocations: [] })
    expect(outcome.reservationLeft).toBe(tokenAmount(0n))
  })
})

describe('a refund that is being sent', () => {
  /** The same facts while all that is owed has been sent, and its marks wait. */
  const sendAll = (facts: PurchaseFacts, { refunds }: PurchaseOutcome): PurchaseFacts => ({
    ...facts,
    receipts: facts.receipts.map((receipt): ReceiptFact => {
      const owed = refunds.find(({ receiptId }) => receiptId === receipt.id)
      return owed === undefined ? receipt : { ...receipt, beingSent: owed }
    }),
  })

  const sorted = (outcome: PurchaseOutcome) => ({
    ...lasting(outcome),
    refunds: outcome.refunds.toSorted((one, other) => (one.receiptId < other.receiptId ? -1 : 1)),
  })

  test('stays owed and buys nothing, whatever comes, and is then owed no more', patiently, () => {
    let keptSome = 0
    fc.assert(
      fc.property(storyOf, fc.integer({ min: 1, max: 3000 }), (story, more) => {
        const facts = { ...factsOf(story), chainReadThrough: minute(60) }
        const before = settlePurchase(facts, () => tokens(story.room))
        const sent = sendAll(facts, before)
        expect(sorted(settleNext(sent, before))).toEqual(sorted(before))
        const amount = cryptoAmount((facts.terms.cryptoDue * BigInt(more)) / 1000n)
        const late = aReceipt('1', { id: 'late', amount, seenAt: minute(55) })
        const withLate = (given: PurchaseFacts) => ({
          ...given,
          receipts: [...given.receipts, late],
        })
        const after = settleNext(withLate(sent), before)
        for (const { receiptId, amount: owed } of before.refunds) {
          expect(after.refunds.find((each) => each.receiptId === receiptId)?.amount).toBe(owed)
        }
        const paid = settleNext(withLate(payBack(facts, before)), before)
        const beingSent = new Set(before.refunds.map(({ receiptId }) => receiptId))
        const others = after.refunds.filter(({ receiptId }) => !beingSent.has(receiptId))
        expect({ ...lasting(after), refunds: others }).toEqual(lasting(paid))
        const isMoreCredited = paid.credited.crypto > before.credited.crypto
        if (before.refunds.length > 0 && isMoreCredited) keptSome += 1
      }),
      { numRuns: 500 },
    )
    expect(keptSome).toBeGreaterThan(20)
  })

  test('is owed in addition to what an operator takes back, until it is decided', () => {
    const terms = someTerms({ maxUsd: dollars('1000') })
    const facts = someFacts({ terms, receipts: [aReceipt('0.7', { id: 'one' })] })
    const before = settlePurchase(facts, roomy)
    expect(before.refunds).toEqual([{ receiptId: 'one', amount: eth('0.2'), why: 'overpaid' }])
    const failed = {
      ...sendAll(facts, before),
      marks: [{ kind: 'failed' as const, at: minute(12) }],
    }
    const outcome = settleNext(failed, before)
    expect(outcome.refunds).toEqual([{ receiptId: 'one', amount: eth('0.7'), why: 'failed' }])
    expect(lasting(settleNext(sendAll(facts, before), outcome)).refunds).toEqual(before.refunds)
  })

  test('is not owed while its payment is gone', () => {
    const facts = someFacts({ receipts: [aReceipt('0.04')], chainReadThrough: minute(31) })
    const sent = sendAll(facts, settlePurchase(facts, roomy))
    const receipts = sent.receipts.map((receipt) => ({ ...receipt, state: 'gone' as const }))
    expect(settlePurchase({ ...sent, receipts }, roomy).refunds).toEqual([])
  })
})
