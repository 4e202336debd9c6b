import fc from 'fast-check'
import { bonusTokens, sumBonuses } from '#domain/sale/bonus.ts'
import { cryptoAmount, percentage, price, tokenAmount, unitsForUsd, usd } from '#domain/money.ts'
import { type OperatorMark, type ReceiptFact, reversalKinds } from '#domain/settlement/facts.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import { minute, someFacts } from '#tests/kit/builders/domain-builders.ts'
import { PurchaseBook } from './purchase-book.ts'
import type { Recording } from './purchase-record.ts'

const amongMany = 10n ** 60n

const percentages = fc.bigInt({ min: 0n, max: 400_000n }).map(percentage)
/** From 10^-6 to 10^6 dollars. */
const prices = fc
  .tuple(fc.bigInt({ min: 1n, max: 999n }), fc.integer({ min: 6, max: 16 }))
  .map(([digits, exponent]) => price(digits * 10n ** BigInt(exponent)))

const termsOf = fc
  .record({
    usd: fc.bigInt({ min: 10_000n, max: 10n ** 11n }).map(usd),
    tokenPrice: prices,
    tokenDecimals: fc.constantFrom(0, 5, 18),
    cryptoPrice: prices,
    cryptoDecimals: fc.constantFrom(6, 8, 18),
    rates: fc.tuple(percentages, percentages, percentages, percentages),
    spendingFrom: fc.bigInt({ min: 0n, max: 10n ** 11n }).map(usd),
    minPart: fc.bigInt({ min: 0n, max: 100n }),
    maxPart: fc.option(fc.bigInt({ min: 100n, max: 300n })),
    graceEnds: fc.constantFrom(30, 32, 45),
  })
  .map((random): PurchaseTerms => {
    const { tokenPrice, tokenDecimals, cryptoPrice, cryptoDecimals } = random
    const [base, first, lower, more] = random.rates
    const lockedBonuses = {
      flat: { base_bonus: base, first_purchase_bonus: first },
      spending: [
        { from: usd(random.spendingFrom / 2n), rate: lower },
        { from: random.spendingFrom, rate: percentage(lower + more) },
      ],
    }
    const baseTokens = tokenAmount(unitsForUsd(random.usd, tokenPrice, tokenDecimals, 'down'))
    const bonuses = bonusTokens(lockedBonuses, random.usd, baseTokens)
    return {
      stageId: 'stage-1',
      paymentTokenId: 'eth',
      usd: random.usd,
      tokenPrice,
      tokenDecimals,
      cryptoPrice,
      cryptoDecimals,
      cryptoDue: cryptoAmount(unitsForUsd(random.usd, cryptoPrice, cryptoDecimals, 'up')),
      reserved: tokenAmount(baseTokens + sumBonuses(bonuses)),
      lockedBonuses,
      minUsd: usd((random.usd * random.minPart) / 100n),
      railMinUsd: usd(0n),
      maxUsd: random.maxPart === null ? null : usd((random.usd * random.maxPart) / 100n),
      requiredConfirmations: 2,
      termsDate: '2030-01-01',
      withdrawableUntil: null,
      createdAt: minute(0),
      expiresAt: minute(30),
      graceEndsAt: minute(random.graceEnds),
    }
  })
  .filter(({ reserved }) => reserved > 0n)

/** What a chain may report of a receipt, from first to last. */
const fates: ReceiptFact['state'][][] = [
  ['seen'],
  ['seen', 'confirmed'],
  ['confirmed'],
  ['seen', 'gone'],
  ['seen', 'confirmed', 'gone'],
  ['seen', 'confirmed', 'seen', 'confirmed'],
  ['seen', 'confirmed', 'gone', 'seen', 'confirmed'],
]

/** Parts of the amount due, including the edges of every tolerance. */
const parts = fc.oneof(
  fc.constantFrom(50n, 100n, 300n, 400n, 500n, 600n, 994n, 995n, 1000n, 1010n, 1011n, 2000n),
  fc.bigInt({ min: 1n, max: 3500n }),
)

const receiptOf = fc.record({
  part: parts,
  crumb: fc.bigInt({ min: -1n, max: 1n }),
  seenAt: fc
    .oneof(
      { weight: 3, arbitrary: fc.constantFrom(10, 20, 30, 32) },
      fc.double({ min: 0, max: 60 }),
    )
    .map((minutes) => minute(Number.isNaN(minutes) ? 0 : minutes)),
  isRightAsset: fc.constantFrom(true, true, true, true, false),
  market: fc.option(
    fc.record({
      stageId: fc.constantFrom('stage-1', 'stage-1', 'stage-2'),
      token: fc.constantFrom(50n, 100n, 100n, 100n, 170n),
      crypto: fc.constantFrom(60n, 100n, 100n, 100n, 130n),
    }),
    { freq: 6 },
  ),
  fate: fc.constantFrom(...fates),
})

/** A purchase, and everything recorded about it. */
export const storyOf = fc.record({
  terms: termsOf,
  receipts: fc.array(receiptOf, { maxLength: 4 }),
  watermarks: fc.array(fc.constantFrom(10, 29.99, 30, 31, 45, 70), { maxLength: 2 }),
  marks: fc.oneof(
    { weight: 4, arbitrary: fc.constant<OperatorMark[]>([]) },
    fc.array(
      fc.record({
        kind: fc.constantFrom('failed' as const, 'held' as const, 'released' as const),
        at: fc.integer({ min: 1, max: 50 }).map(minute),
      }),
      { maxLength: 2 },
    ),
  ),
  reversal: fc.option(
    fc.record({
      kind: fc.constantFrom(...reversalKinds),
      at: fc.integer({ min: 1, max: 50 }).map(minute),
    }),
    { freq: 1 },
  ),
  hasGatewayFailed: fc.constantFrom(...Array<boolean>(15).fill(false), true),
  isFirstPurchaseBonusLost: fc.constantFrom(false, false, true),
})
export type Story = typeof storyOf extends fc.Arbitrary<infer T> ? T : never

/** What a chain reports of its receipts, from first to last. */
export function sightingsOf({ terms, receipts }: Story): Recording[] {
  return receipts.flatMap(({ part, crumb, fate, market, ...receipt }, index) => {
    const amount = (terms.cryptoDue * part) / 1000n + crumb
    const recorded = {
      ...receipt,
      id: `receipt-${index}`,
      requiredConfirmations: 2,
      amount: cryptoAmount(amount > 0n ? amount : 1n),
      market:
        market === null
          ? null
          : {
              stageId: market.stageId,
              tokenPrice: price((terms.tokenPrice * market.token) / 100n),
              cryptoPrice: price((terms.cryptoPrice * market.crypto) / 100n),
            },
    }
    return fate.map((state, revision): Recording => {
      return { kind: 'sighting', sighting: { receipt: recorded, revision, state } }
    })
  })
}

export function otherRecordingsOf(story: Story): Recording[] {
  const { watermarks, marks, reversal, hasGatewayFailed } = story
  return [
    ...watermarks.map((at): Recording => ({ kind: 'watermark', at: minute(at) })),
    ...marks.map((mark): Recording => ({ kind: 'mark', mark })),
    ...(reversal === null ? [] : [{ kind: 'reversal', reversal } as const]),
    ...(hasGatewayFailed ? [{ kind: 'gateway failed' } as const] : []),
  ]
}

export const recordingsOf = (story: Story) => [...sightingsOf(story), ...otherRecordingsOf(story)]

/** Its books before anything is recorded, along with what else the stages have. */
export function openBook(
  { terms, isFirstPurchaseBonusLost }: Story,
  supply = amongMany,
): PurchaseBook {
  const facts = someFacts({ terms, isFirstPurchaseBonusLost, chainReadThrough: null })
  const room = tokenAmount(terms.reserved + supply)
  return new PurchaseBook(
    facts,
    new Map([
      ['stage-1', room],
      ['stage-2', tokenAmount(supply)],
    ]),
  )
}
