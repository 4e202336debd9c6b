import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { endOf } from '#tests/kit/model/purchase-end.ts'
import { countsOf, isLongRun, patiently, randomRuns } from '#tests/kit/model/random-runs.ts'
import { randomEvents, randomSale, withPlenty } from '#tests/kit/model/random-sale.ts'
import { replay } from '#tests/kit/model/sale-replay.ts'
import { SaleRun } from '#tests/kit/model/sale-run.ts'
import { dice, shuffled } from '#tests/kit/builders/shuffled.ts'

const reached = new Map<string, number>()

afterAll(() => {
  if (isLongRun) process.stdout.write(`${countsOf(reached)}\n`)
})

describe('a sale of several stages and buyers', patiently, () => {
  test('keeps every invariant after each event of any sequence', () => {
    fc.assert(
      fc.property(randomSale, randomEvents, (sale, events) => {
        const run = new SaleRun(sale)
        for (const event of events) run.apply(event)
        run.finish()
        for (const what of run.seen) reached.set(what, (reached.get(what) ?? 0) + 1)
      }),
      randomRuns(700),
    )
    expect(reached.get('ends completed')).toBeGreaterThan(100)
  })

  test('ends the same in whatever order its facts are recorded, and however often', () => {
    const seeds = fc.integer({ min: 0, max: 2 ** 31 })
    fc.assert(
      fc.property(randomSale.map(withPlenty), randomEvents, seeds, (sale, events, seed) => {
        const run = new SaleRun(sale)
        // If somebody takes everything that is left, the order of the facts does matter.
        const modest = events.filter(({ kind }) => kind !== 'buys what is left')
        for (const event of modest) run.apply(event)
        const { model } = run
        const roll = dice(seed)
        const asItCame = replay(model, model.log, () => true)
        const atOnce = replay(model, shuffled(model.log, seed), () => false)
        const nowAndThen = replay(model, shuffled(model.log, seed + 1), () => roll(2) === 0)

        expect(asItCame.purchases).toEqual(model.outcomes().map(endOf))
        expect(atOnce).toEqual(asItCame)
        expect(nowAndThen).toEqual(asItCame)
      }),
      randomRuns(150, 5),
    )
  })
})
