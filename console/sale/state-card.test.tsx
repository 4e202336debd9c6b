import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { selfQuery } from '#console/session/self.ts'
import type { OperatorSelf } from '#contract/operator/account.ts'
import type { SaleState } from '#contract/operator/operations.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { saleStateQuery } from './sale-queries.ts'
import { StateCard } from './state-card.tsx'

type Check = NonNullable<SaleState['check']>

/** What the card of a paused sale shows to an owner. */
function shown(
  check: Partial<Check>,
  closed: string | null = null,
  other: Partial<SaleState> = {},
): string {
  const queries = new QueryClient()
  queries.setQueryData(selfQuery.queryKey, { permissions } as unknown as OperatorSelf)
  queries.setQueryData(saleStateQuery.queryKey, {
    status: 'PAUSED',
    sale_file_fault: null,
    stage: null,
    starts_date: null,
    pause: { reason: 'A look', since: '2030-01-01T12:00:00.000Z' },
    soft_cap: { closed_date: closed },
    snapshot: null,
    check: { breaches: [], not_run: [], ...check },
    ...other,
  } as unknown as SaleState)
  const card = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <StateCard />
    </QueryClientProvider>,
  )
  queries.clear()
  return card
}

const notRun = [
  {
    name: 'rewards_are_earned could not be checked',
    check: 'rewards_are_earned',
    fault: 'It took too long',
  },
]

test('an instance that cannot use the sale file is not called on sale', () => {
  const fault = 'This instance cannot use the applied sale file'
  const state: Partial<SaleState> = { status: 'ACTIVE', pause: null, sale_file_fault: fault }
  const card = shown({}, null, state)
  expect(card).toContain('Not selling')
  expect(card).toContain(fault)
  expect(card).not.toContain('On sale')
  expect(shown({}, null, { ...state, sale_file_fault: null })).toContain('On sale')
})

test('a sale whose books agree is not resumed by force', () => {
  expect(shown({})).toContain('Resume the sale')
  expect(shown({})).not.toContain('Resume anyway')
})

test('a paused sale can be paused for another reason, until it cannot be resumed', () => {
  expect(shown({})).toContain('Pause for another reason')
  expect(shown({})).not.toContain('Pause the sale')
  expect(shown({}, null, { status: 'ACTIVE', pause: null })).not.toContain('another reason')
  expect(shown({}, '2030-01-01T00:00:00Z')).not.toContain('another reason')
})

test('a sale of which something could not be checked can be resumed by force, which is shown', () => {
  const card = shown({ not_run: notRun })
  expect(card).toMatch(/What could not be checked.*rewards_are_earned.*It took too long/)
  expect(card).toContain('Resume anyway')
  expect(card).not.toContain('Where the books do not agree')
})

test('a sale that was closed below its soft cap is not resumed at all', () => {
  const breaches = [{ name: 'supply s', check: 'supply', fault: 'Too much', is_accepted: false }]
  expect(shown({ breaches }, '2030-01-01T00:00:00Z')).not.toContain('Resume')
})
