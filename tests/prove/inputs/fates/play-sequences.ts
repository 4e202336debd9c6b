/**
 * Plays sequences of events with only the rules: of one purchase in any order and with repeats, and
 * of whole sales. Runs in its own thread, which gets a task and returns what it found.
 */
import { isDeepStrictEqual } from 'node:util'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import fc from 'fast-check'

import { dice, shuffled } from '#tests/kit/builders/shuffled.ts'
import { checkSo } from '#tests/kit/model/check-so.ts'
import { endOf } from '#tests/kit/model/purchase-end.ts'
import { randomEvents, randomSale } from '#tests/kit/model/random-sale.ts'
import { openBook, recordingsOf, type Story, storyOf } from '#tests/kit/model/random-story.ts'
import { SaleRun } from '#tests/kit/model/sale-run.ts'

export type SequencesTask = { seed: number; ofPurchases: number; ofSales: number }
export type SequencesDone = { sequences: number; events: number; ended: Map<string, number> }
/** What a thread posts: its progress, or the smallest failing case. */
export type SequencesNews = { done: SequencesDone } | { broken: string }

/** Between two pieces of news. */
const AT_ONCE = 1_000
const SEED_MAX = 2 ** 31

const seeds = fc.integer({ min: 0, max: SEED_MAX })

if (!isMainThread) playAll(workerData as SequencesTask)

function playAll({ seed, ofPurchases, ofSales }: SequencesTask): void {
  const roll = dice(seed)
  const play = (count: number, check: (count: number, seed: number) => SequencesNews) => {
    for (let left = count; left > 0; left -= AT_ONCE) {
      const news = check(Math.min(AT_ONCE, left), roll(SEED_MAX))
      parentPort?.postMessage(news)
      if ('broken' in news) return
    }
  }
  play(ofPurchases, playPurchases)
  play(ofSales, playSales)
}

function playPurchases(count: number, seed: number): SequencesNews {
  const done: SequencesDone = { sequences: 0, events: 0, ended: new Map() }
  const property = fc.property(storyOf, seeds, (story, order) => {
    const recordings = shuffled(recordingsOf(story), order)
    const book = openBook(story)
    const roll = dice(order)
    // Some are settled after every event, most after some of them.
    const settlesEach = roll(5) === 0
    for (const recording of recordings) {
      book.record(recording)
      if (settlesEach || roll(4) === 0) book.settle()
    }
    book.settle()
    const { transferCount } = book
    book.settle()
    checkSo(book.transferCount === transferCount, 'settling again moves nothing')
    const end = endOf(book.outcome)
    checkSo(isDeepStrictEqual(end, endInOrder(story)), 'any order ends as the right one')
    done.sequences += 1
    done.events += recordings.length
    done.ended.set(end.status, (done.ended.get(end.status) ?? 0) + 1)
  })
  return newsOf(fc.check(property, { seed, numRuns: count }), done)
}

/** Everything is recorded as it happened, and settled once. */
function endInOrder(story: Story) {
  const book = openBook(story)
  for (const recording of recordingsOf(story)) book.record(recording)
  book.settle()
  return endOf(book.outcome)
}

function playSales(count: number, seed: number): SequencesNews {
  const done: SequencesDone = { sequences: 0, events: 0, ended: new Map() }
  const property = fc.property(randomSale, randomEvents, (sale, events) => {
    const run = new SaleRun(sale)
    for (const event of events) run.apply(event)
    run.finish()
    done.sequences += 1
    done.events += events.length
    for (const { status } of run.model.outcomes()) {
      done.ended.set(status, (done.ended.get(status) ?? 0) + 1)
    }
  })
  return newsOf(fc.check(property, { seed, numRuns: count }), done)
}

function newsOf<Case>(result: fc.RunDetails<Case>, done: SequencesDone): SequencesNews {
  return result.failed ? { broken: fc.defaultReportMessage(result) ?? 'no message' } : { done }
}
