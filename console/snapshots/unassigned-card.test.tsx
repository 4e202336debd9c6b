import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { selfQuery } from '#console/session/self.ts'
import type { OperatorSelf } from '#contract/operator/account.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { UnassignedCard } from './unassigned-card.tsx'

test('of accounts that were erased it says how they get a wallet', () => {
  const queries = new QueryClient()
  queries.setQueryData(selfQuery.queryKey, { permissions } as unknown as OperatorSelf)
  const unassigned = { count: 5, tokens: '100', invitable: 3, invited_date: null }
  const card = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <UnassignedCard unassigned={unassigned} symbol="HUH" />
    </QueryClientProvider>,
  )
  queries.clear()
  expect(card).toContain(
    '2 of their accounts were erased: two operators can name one on the page of the user.',
  )
})
