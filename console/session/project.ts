import { queryOptions } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import { call } from '#web/lib/api/call.ts'

/** The project whose sale it is. */
export const projectQuery = queryOptions({
  queryKey: ['operator', 'project'],
  queryFn: ({ signal }) => call(saleContract.getCurrentProject, {}, { signal }),
})
