import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { selfQuery } from '#console/session/self.ts'
import type { OperatorSelf } from '#contract/operator/account.ts'
import { type Role, roles } from '#domain/operators/permissions.ts'
import { ApprovalScreen } from './approval-screen.tsx'

/** The page of an act that was done, as somebody with that role sees it. */
function shown(role: Role, act: string): string {
  const date = '2030-01-01T12:00:00.000Z'
  const approval = {
    id: 'a',
    act,
    summary: 'An act',
    about: 'b',
    input: { id: 'b' },
    hash: 'ab',
    refund: null,
    amount_fiat: null,
    state: 'done',
    asked_by: { id: null, name: 'Ada' },
    asked_date: date,
    expires_date: date,
    decided_by: null,
    decided_date: date,
    reason: null,
  }
  const queries = new QueryClient()
  queries.setQueryData(selfQuery.queryKey, { permissions: roles[role] } as OperatorSelf)
  queries.setQueryData(['operator', 'approvals', 'one', ''], approval)
  const page = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <ApprovalScreen />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  queries.clear()
  return page
}

test('it leads nobody to a screen that they may not see', () => {
  expect(shown('owner', 'changeUserWallet')).toContain('href="/people/b"')
  expect(shown('viewer', 'changeUserWallet')).not.toContain('href="/people/b"')
  expect(shown('finance', 'sendSweep')).toContain('href="/sweeps"')
  expect(shown('viewer', 'sendSweep')).not.toContain('href="/sweeps"')
})

test('the id of every act about a distribution is called by what it is', () => {
  const page = shown('owner', 'closeDistribution')
  expect(page).toContain('Distribution')
  expect(page).not.toContain('Id of the receipt, claim or purchase')
})
