import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Time } from '#console/kit/values.tsx'
import { selfQuery } from '#console/session/self.ts'
import { SERVER_TIME } from '#contract/endpoint.ts'
import type { OperatorSelf } from '#contract/operator/account.ts'
import type { OperatorClaim } from '#contract/operator/refund-claims.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { noteServerTime } from '#web/lib/api/server-clock.ts'
import { ClaimActs } from './claim-acts.tsx'

const NOON = '2030-01-01T12:00:00.000Z'

/** A reply by a server where it is then. */
const hear = (now: string) => noteServerTime(new Headers({ [SERVER_TIME]: now }), Date.now())

beforeEach(() => vi.useFakeTimers({ now: new Date('2030-01-01T09:00:00Z') }))
afterEach(() => {
  hear(new Date().toISOString())
  vi.useRealTimers()
})

test('a computer whose clock is slow hides no act, and shows the age by the server’s clock', () => {
  hear('2030-01-01T12:30:00.000Z')
  const queries = new QueryClient()
  queries.setQueryData(selfQuery.queryKey, { permissions } as unknown as OperatorSelf)
  const claim = { state: 'claimed', approvable_date: NOON, asked_acts: [] }
  const shown = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <ClaimActs claim={claim as unknown as OperatorClaim} />
      <Time value={NOON} as="age" />
    </QueryClientProvider>,
  )
  queries.clear()
  expect(shown).toContain('Approve')
  expect(shown).toContain('30 min. ago')
})
