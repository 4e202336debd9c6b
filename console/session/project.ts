import { queryOptions } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import { call } from '#web/lib/api/call.ts'

export const projectQuery = queryOptions({
  queryKey: ['operator', 'project'],
  queryFn: ({ signal }) => call(saleContract.getCurrentProject, {}, { signal }),
})
