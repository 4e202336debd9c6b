import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { aListedStage } from '#tests/kit/builders/a-listed-stage.ts'
import { aWireTransaction } from '#tests/kit/builders/a-wire-transaction.ts'
import { BOX, heightAt, placePurchases, placeSteps, placeWanted, stepAt } from './ladder-shape.ts'

const amount = fc.integer({ min: 1, max: 1_000_000_000 })

const anyStage = fc
  .record({ total: amount, sold: amount, first: amount, last: amount, isDynamic: fc.boolean() })
  .map(({ total, sold, first, last, isDynamic }) =>
    aListedStage({
      type: isDynamic ? 'dynamic' : 'fixed',
      token_price: first,
      final_token_price: isDynamic ? last : first,
      total_tokens: total,
      sold_tokens: Math.min(sold, total),
    }),
  )
const anyStages = fc
  .array(anyStage, { minLength: 1, maxLength: 12 })
  .map((stages) => stages.map((stage, index) => ({ ...stage, id: `stage-${index}` })))

/** Twice what all the tokens of a stage cost, in whole numbers. */
const moneyOf = ({ total_tokens, token_price, final_token_price }: ListedStage) =>
  BigInt(total_tokens) * (BigInt(token_price) + BigInt(final_token_price))

it('keeps the order, lets no step lie on another, and stays inside of the box', () => {
  fc.assert(
    fc.property(anyStages, (stages) => {
      const steps = placeSteps(stages)
      expect(steps.length).toBe(stages.length)
      let end = -1
      for (const { left, right, from, to, soldTo } of steps) {
        expect(left).toBeGreaterThan(end)
        expect(right).toBeGreaterThan(left)
        expect(soldTo).toBeGreaterThanOrEqual(left)
        expect(soldTo).toBeLessThanOrEqual(right)
        for (const height of [from, to]) {
          expect(height).toBeGreaterThan(0)
          expect(height).toBeLessThanOrEqual(BOX)
        }
        end = right
      }
      expect(end).toBe(BOX)
      expect(Math.max(...steps.flatMap(({ from, to }) => [from, to]))).toBe(BOX)
    }),
  )
})

it('draws what the tokens cost: areas are as the money, but where a step says it is not to scale', () => {
  fc.assert(
    fc.property(anyStages, (stages) => {
      const steps = placeSteps(stages)
      const drawn = steps.flatMap((step, index) => {
        const stage = stages[index]
        if (stage === undefined || !step.isToScale) return []
        const { left, right, from, to } = step
        const width = right - left
        // Both edges and both heights are rounded by less than one.
        const slack = BigInt(from + to + 2 * width + 2)
        return [{ money: moneyOf(stage), area: BigInt(width) * BigInt(from + to), slack }]
      })
      for (const one of drawn) {
        for (const other of drawn) {
          const difference = one.area * other.money - other.area * one.money
          const allowed = one.slack * other.money + other.slack * one.money
          expect(difference <= allowed && -difference <= allowed).toBe(true)
        }
      }
    }),
  )
})

it('marks every step that would be too small to be seen, and no other', () => {
  const far = [
    aListedStage({ total_tokens: 1 }),
    aListedStage({ total_tokens: 1_000_000 }),
    aListedStage({ total_tokens: 500_000, token_price: 0.001, final_token_price: 0.001 }),
  ]
  expect(placeSteps(far).map(({ isToScale }) => isToScale)).toEqual([false, true, false])
  const [tiny, huge] = placeSteps(far)
  expect((tiny?.right ?? 0) - (tiny?.left ?? 0)).toBe(2000)
  expect((huge?.right ?? 0) - (huge?.left ?? 0)).toBeGreaterThan(60_000)
})

it('slopes a dynamic stage by its prices, rising or falling, and keeps a fixed one level', () => {
  const [rising, falling, level] = placeSteps([
    aListedStage({ type: 'dynamic', token_price: 1, final_token_price: 2 }),
    aListedStage({ type: 'dynamic', token_price: 4, final_token_price: 3 }),
    aListedStage({ type: 'fixed', token_price: 2, final_token_price: 2 }),
  ])
  expect(rising).toMatchObject({ from: 25_000, to: 50_000 })
  expect(falling).toMatchObject({ from: 100_000, to: 75_000 })
  expect(level).toMatchObject({ from: 50_000, to: 50_000 })
})

it('fills what is sold, all of a stage that is sold out, and no more than it has by what is wanted', () => {
  const stages = [
    aListedStage({ sold_tokens: 0 }),
    aListedStage({ sold_tokens: 25 }),
    aListedStage({ sold_tokens: 100 }),
  ]
  const steps = placeSteps(stages)
  const shares = steps.map(({ left, right, soldTo }) => (soldTo - left) / (right - left))
  expect(shares).toEqual([0, expect.closeTo(0.25, 3), 1])
  const [, stage = aListedStage()] = stages
  const [, step] = steps
  if (step === undefined) throw new Error('No step.')
  const wanted = (tokens: number) =>
    (placeWanted(stage, step, tokens) - step.left) / (step.right - step.left)
  expect([0, 50, 75, 5000].map(wanted)).toEqual([
    expect.closeTo(0.25, 3),
    expect.closeTo(0.75, 3),
    1,
    1,
  ])
})

const bought = (id: string, stage_id: string | null, token_price: number, completed_date: string) =>
  aWireTransaction({ id, stage_id, token_price, completed_date, status: 'completed' })

it('puts a purchase on the top edge: by its price where that moves, in their order where it does not', () => {
  const stages = [
    aListedStage({
      id: 'a',
      type: 'dynamic',
      token_price: 1,
      final_token_price: 3,
      sold_tokens: 80,
    }),
    aListedStage({
      id: 'b',
      type: 'dynamic',
      token_price: 3,
      final_token_price: 2,
      sold_tokens: 80,
    }),
    aListedStage({ id: 'c', token_price: 2, sold_tokens: 60 }),
  ]
  const steps = placeSteps(stages)
  const places = placePurchases(stages, steps, [
    bought('second', 'c', 2, '2030-01-09T00:00:00Z'),
    bought('first', 'c', 2, '2030-01-08T00:00:00Z'),
    bought('up', 'a', 1.5, '2030-01-01T00:00:00Z'),
    bought('down', 'b', 2.75, '2030-01-02T00:00:00Z'),
    bought('beyond', 'b', 99, '2030-01-02T00:00:00Z'),
    bought('elsewhere', 'unknown', 2, '2030-01-02T00:00:00Z'),
    bought('reward', null, 2, '2030-01-02T00:00:00Z'),
    { ...bought('unpaid', 'a', 2, '2030-01-02T00:00:00Z'), status: 'pending' },
  ])
  const share = (id: string, nth: number) => {
    const { left = 0, right = 1 } = steps[nth] ?? {}
    return ((places.find((place) => place.id === id)?.x ?? NaN) - left) / (right - left)
  }
  expect(places.map(({ id }) => id)).toEqual(['up', 'down', 'beyond', 'first', 'second'])
  expect(share('up', 0)).toBeCloseTo(0.25, 3)
  expect(share('down', 1)).toBeCloseTo(0.25, 3)
  expect(share('beyond', 1)).toBe(0)
  expect(share('first', 2)).toBeCloseTo(0.2, 3)
  expect(share('second', 2)).toBeCloseTo(0.4, 3)
  for (const { x, y } of places) {
    const step = steps[stepAt(steps, x)]
    expect(step === undefined ? null : heightAt(step, x)).toBe(y)
  }
})

it('finds the step at a place, and the nearest one in a gap or outside', () => {
  const steps = placeSteps([aListedStage(), aListedStage(), aListedStage()])
  const [one, two] = steps
  expect(
    [-5, 10, (one?.right ?? 0) + 100, two?.left ?? 0, BOX + 9].map((x) => stepAt(steps, x)),
  ).toEqual([0, 0, 0, 1, 2])
})
