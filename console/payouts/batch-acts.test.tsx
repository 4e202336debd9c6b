import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { selfQuery } from '#console/session/self.ts'
import type { OperatorSelf } from '#contract/operator/account.ts'
import type { RefundBatch } from '#contract/operator/refund-batches.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { BatchActs } from './batch-acts.tsx'

const NAME = 'Name the transaction'
const CANCEL = 'Cancel the batch'

test.each([
  ['an open batch', { state: 'open', rail: 'evm' }, [NAME, CANCEL]],
  ['one that was cancelled, and may have been sent', { state: 'cancelled', rail: 'evm' }, [NAME]],
  ['one that a gateway does not pay any more', { state: 'cancelled', rail: 'btcpay' }, []],
  ['one that is paid', { state: 'confirmed', rail: 'evm' }, []],
])('%s has the acts that are left', (_, batch, acts) => {
  const queries = new QueryClient()
  queries.setQueryData(selfQuery.queryKey, { permissions } as unknown as OperatorSelf)
  const shown = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <BatchActs batch={batch as unknown as RefundBatch} />
    </QueryClientProvider>,
  )
  queries.clear()
  expect([NAME, CANCEL].filter((act) => shown.includes(act))).toEqual(acts)
})
