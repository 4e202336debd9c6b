import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { selfQuery } from '#console/session/self.ts'
import type { OperatorSelf } from '#contract/operator/account.ts'
import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { PurchaseActs } from './acts.tsx'

type Record = Pick<PurchaseRecord, 'status' | 'marks'>

/** The acts that an owner is offered. */
function offered(record: Record): string[] {
  const queries = new QueryClient()
  queries.setQueryData(selfQuery.queryKey, { permissions } as unknown as OperatorSelf)
  const shown = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <PurchaseActs record={record as PurchaseRecord} />
    </QueryClientProvider>,
  )
  queries.clear()
  return [...shown.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, label = '']) =>
    label.replaceAll(/<[^>]*>/g, ''),
  )
}

const marked = (kind: PurchaseRecord['marks'][number]['kind']) => [
  { kind, date: '2030-01-01T12:00:00.000Z', reason: 'Looks odd' },
]

test.each<[string, Record, string[]]>([
  ['is paid', { status: 'processing', marks: [] }, ['Hold', 'Fail']],
  ['has expired', { status: 'expired', marks: [] }, ['Fail']],
  [
    'is held',
    { status: 'processing', marks: marked('held') },
    ['Release', 'Hold for another reason', 'Fail'],
  ],
  [
    'was failed',
    { status: 'failed', marks: marked('failed') },
    ['Release', 'Fail for another reason'],
  ],
  ['was released', { status: 'processing', marks: marked('released') }, ['Hold', 'Fail']],
])('of a purchase that %s, the acts that make sense are offered', (_, record, acts) => {
  expect(offered(record)).toEqual(acts)
})
