import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SoftCapLine } from './soft-cap-line.tsx'

/** What the line says of a sale that has to raise so many dollars; null if the sum is not known. */
function lineOf(raised: number | null, isEnded: boolean, goal = 1000): string {
  const queries = new QueryClient()
  if (raised !== null) {
    queries.setQueryData(['soft-cap'], { soft_cap: goal, raised, closed_date: null })
  }
  const line = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <SoftCapLine project={{ soft_cap: goal }} isEnded={isEnded} />
    </QueryClientProvider>,
  )
  queries.clear()
  return line.replaceAll(/<[^>]*>/g, '').trim()
}

test('an ended sale has missed its sum only once it is known that it has', () => {
  expect(lineOf(null, true)).toBe('The sale has to raise $1K.')
  expect(lineOf(1000, true)).toBe('The sale has raised the $1K that it needs.')
  expect(lineOf(999, true)).toContain('It has ended below that')
})

test('a sale that has not ended says that refunds below its sum are decided on', () => {
  const below = 'If it raises less, its operators decide whether everyone gets a refund.'
  expect(lineOf(null, false)).toContain(below)
  expect(lineOf(999, false)).toContain(below)
  expect(lineOf(1000, false)).not.toContain('If it raises less')
})

test('a sum that is a few dollars short does not read as the goal', () => {
  const line = lineOf(1_999_996, true, 2_000_000)
  expect(line).toContain('The sale has to raise $2,000,000, and has raised $1,999,996 so far.')
  expect(lineOf(1_999_999.5, true, 2_000_000)).toContain('has raised $1,999,999.50 so far.')
  expect(lineOf(999.996, true)).toContain('has to raise $1,000, and has raised $999.996 so far.')
  const uneven = lineOf(2_000_001, true, 2_000_004)
  expect(uneven).toContain('has to raise $2,000,004, and has raised $2,000,001 so far.')
  expect(lineOf(1_900_000, true, 2_000_000)).toContain('$2M, and has raised $1.9M so far.')
})
