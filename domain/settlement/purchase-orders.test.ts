import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenAmount } from '#domain/money.ts'
import { settlePurchase } from './settle.ts'
import type { PurchaseOutcome } from './outcome.ts'
import { endOf } from '#tests/kit/model/purchase-end.ts'
import type { PurchaseBook, Rival } from '#tests/kit/model/purchase-book.ts'
import type { Recording } from '#tests/kit/model/purchase-record.ts'
import { patiently, randomRuns } from '#tests/kit/model/random-runs.ts'
import {
  openBook,
  otherRecordingsOf,
  recordingsOf,
  sightingsOf,
  type Story,
  storyOf,
} from '#tests/kit/model/random-story.ts'
import { dice, shuffled } from '#tests/kit/builders/shuffled.ts'

function endAfter(
  book: PurchaseBook,
  recordings: readonly (Recording | Rival)[],
  settlesAt: () => boolean,
): PurchaseOutcome {
  for (const recording of recordings) {
    book.record(recording)
    if (settlesAt()) book.settle()
  }
  book.settle()
  const { outcome, transferCount } = book
  book.settle()
  expect(book.outcome).toEqual(outcome)
  expect(book.transferCount).toBe(transferCount)
  return outcome
}

/** All receipts of a story, as they were first seen. */
function receiptsOf(story: Story) {
  return sightingsOf(story).flatMap((recording) =>
    recording.kind === 'sighting' ? [recording.sighting.receipt] : [],
  )
}

/** The final state, and what is held of the reservation. */
function holdingsOf(outcome: PurchaseOutcome) {
  const { reserved, reservationLeft } = outcome
  return { ...endOf(outcome), reserved, reservationLeft }
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 })

describe('a purchase', patiently, () => {
  test('ends the same whatever the order, the repetition and the settling of its facts', () => {
    fc.assert(
      fc.property(storyOf, seeds, seeds, (story, one, other) => {
        const recordings = recordingsOf(story)
        const roll = dice(other)
        const atOnce = endAfter(openBook(story), recordings, () => false)
        const eachSettled = endAfter(openBook(story), shuffled(recordings, one), () => true)
        const someSettled = endAfter(
          openBook(story),
          shuffled(recordings, other),
          () => roll(2) === 0,
        )

        expect(endOf(eachSettled)).toEqual(endOf(atOnce))
        expect(endOf(someSettled)).toEqual(endOf(atOnce))
      }),
      randomRuns(2500),
    )
  })

  test('keeps its reservation as long as the chain was read before it expires', () => {
    fc.assert(
      fc.property(storyOf, seeds, (whole, seed) => {
        const story = {
          ...whole,
          marks: [],
          reversal: null,
          hasGatewayFailed: false,
          isFirstPurchaseBonusLost: false,
        }
        const recordings = [...shuffled(sightingsOf(story), seed), ...otherRecordingsOf(story)]
        const atOnce = endAfter(openBook(story), recordings, () => false)
        const eachSettled = endAfter(openBook(story), recordings, () => true)

        expect(holdingsOf(eachSettled)).toEqual(holdingsOf(atOnce))
      }),
      randomRuns(700),
    )
  })

  test('keeps every invariant when others take the tokens that it would need', () => {
    const rivalOf = fc.record({
      kind: fc.constant('rival' as const),
      stageId: fc.constantFrom('stage-1', 'stage-2'),
      part: fc.bigInt({ min: 1n, max: 200n }),
    })
    fc.assert(
      fc.property(
        storyOf,
        fc.array(rivalOf, { maxLength: 6 }),
        fc.bigInt({ min: 0n, max: 150n }),
        seeds,
        (story, rivals, supply, seed) => {
          const share = (part: bigint) => tokenAmount((story.terms.reserved * part) / 100n)
          const recordings = [
            ...recordingsOf(story),
            ...rivals.map((rival) => ({ ...rival, tokens: share(rival.part) })),
          ]
          const book = openBook(story, share(supply))

          expect(() => endAfter(book, shuffled(recordings, seed), () => true)).not.toThrow()
        },
      ),
      randomRuns(1500),
    )
  })

  test('with a grace ends like one that expires at the end of it, of which no buyer is told', () => {
    fc.assert(
      fc.property(storyOf, seeds, (story, seed) => {
        const { terms } = story
        const longer = { ...story, terms: { ...terms, expiresAt: terms.graceEndsAt } }
        const recordings = shuffled(recordingsOf(story), seed)
        const outcome = endAfter(openBook(story), recordings, () => true)

        expect(outcome).toEqual(endAfter(openBook(longer), recordings, () => true))
        const inTime = receiptsOf(story).filter(({ seenAt }) => seenAt <= terms.graceEndsAt)
        const late = outcome.refunds.filter(({ why }) => why === 'late')
        expect(late.filter(({ receiptId }) => inTime.some(({ id }) => id === receiptId))).toEqual(
          [],
        )
      }),
      randomRuns(700),
    )
  })

  test('derives the same from facts in any order', () => {
    fc.assert(
      fc.property(storyOf, (story) => {
        const book = openBook(story)
        endAfter(book, recordingsOf(story), () => false)
        const { receipts, marks } = book.facts
        const reversed = {
          ...book.facts,
          receipts: receipts.toReversed(),
          marks: marks.toReversed(),
        }

        const roomy = () => story.terms.reserved
        expect(settlePurchase(reversed, roomy)).toEqual(settlePurchase(book.facts, roomy))
      }),
      randomRuns(700),
    )
  })
})
