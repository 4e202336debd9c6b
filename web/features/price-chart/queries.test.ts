import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { addPrice } from './queries.ts'

const opened = { date: '2030-01-01T00:00:00.000Z', price: 0.5 }
const laterMs = Date.parse('2030-01-01T01:00:00.000Z')

function charts() {
  const queries = new QueryClient()
  const read = (period: string) => queries.getQueryData(['price-chart', period])
  for (const period of ['day', 'all']) {
    queries.setQueryData(['price-chart', period], { price_chart: [opened] })
  }
  return { queries, read }
}

it('puts a price that has moved at the end of every period', () => {
  const { queries, read } = charts()
  addPrice(queries, 0.75, laterMs)
  const moved = { price_chart: [opened, { date: '2030-01-01T01:00:00.000Z', price: 0.75 }] }
  expect([read('day'), read('all')]).toEqual([moved, moved])
})

it('adds nothing where the price is what it was', () => {
  const { queries, read } = charts()
  addPrice(queries, 0.5, laterMs)
  expect(read('day')).toEqual({ price_chart: [opened] })
})

it('comes last also by a clock that is behind', () => {
  const { queries, read } = charts()
  addPrice(queries, 0.75, Date.parse('2029-12-31T23:00:00.000Z'))
  expect(read('day')).toEqual({ price_chart: [opened, { ...opened, price: 0.75 }] })
})

it('asks again for what was under way, as it may not know of the price yet', async () => {
  const { queries } = charts()
  let asked = 0
  const observer = new QueryObserver(queries, {
    queryKey: ['price-chart', 'week'],
    queryFn: () => {
      asked += 1
      return new Promise<never>(() => {})
    },
  })
  const stop = observer.subscribe(() => {})
  queries.setQueryData(['price-chart', 'week'], { price_chart: [opened] })
  void observer.refetch()
  await expect.poll(() => asked).toBe(2)
  addPrice(queries, 0.75, laterMs)
  await expect.poll(() => asked).toBe(3)
  stop()
})
