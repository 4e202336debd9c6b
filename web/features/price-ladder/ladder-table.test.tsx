import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { LadderTable } from './ladder-table.tsx'

const stage = (changes: Partial<ListedStage>): ListedStage => ({
  id: 'alpha',
  name: 'Alpha',
  type: 'fixed',
  status: 'upcoming',
  total_tokens: 1000,
  sold_tokens: 0,
  is_sold_out: false,
  start_date: '2026-11-23T00:00:00Z',
  end_date: '2026-12-23T00:00:00Z',
  token_price: 1,
  final_token_price: 1,
  current_token_price: 1,
  vesting: null,
  ...changes,
})

/** What the table says of when a stage is open. */
function openOf(changes: Partial<ListedStage>): string {
  const markup = renderToStaticMarkup(
    <LadderTable stages={[stage(changes)]} symbol="PEAR" isSeen />,
  )
  return /<td[^>]*>([^<]*)</.exec(markup)?.[1] ?? ''
}

test('a stage that sells out early ends without its day, and the next is open before its own', () => {
  expect(openOf({ status: 'ended', sold_tokens: 999.995, is_sold_out: true })).toBe(
    'from Nov 23, 2026, sold out',
  )
  expect(openOf({ status: 'active' })).toBe('until Dec 23, 2026')
})

test('all others have both days', () => {
  expect(openOf({ status: 'upcoming' })).toBe('Nov 23, 2026 – Dec 23, 2026')
  expect(openOf({ status: 'ended', sold_tokens: 999.995 })).toBe('Nov 23, 2026 – Dec 23, 2026')
  expect(openOf({ status: 'upcoming', end_date: null })).toBe('from Nov 23, 2026')
})
