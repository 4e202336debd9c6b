import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { selfQuery } from '#console/session/self.ts'
import type { OperatorSelf } from '#contract/operator/account.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { UnassignedCard } from './unassigned-card.tsx'

function shown(isClosed: boolean, invitable = 3): string {
  const queries = new QueryClient()
  queries.setQueryData(selfQuery.queryKey, { permissions } as unknown as OperatorSelf)
  const unassigned = { count: 5, tokens: '100', invitable, invited_date: null }
  const card = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <UnassignedCard unassigned={unassigned} symbol="HUH" isClosed={isClosed} />
    </QueryClientProvider>,
  )
  queries.clear()
  return card
}

test('of accounts that were erased it says how they get a wallet', () => {
  expect(shown(true)).toContain(
    '2 of their accounts were erased: two operators can name one on the page of the user.',
  )
  expect(shown(true, 4)).toContain('1 of their accounts was erased: two operators can name one')
})

test('while the books are open it speaks of no snapshot that is there, and of no correction', () => {
  const card = shown(false)
  expect(card).toContain('A wallet named before the books are closed is in the first snapshot.')
  expect(card).toContain('on the page of the user once the books are closed.')
  expect(card).not.toContain('correction')
})
