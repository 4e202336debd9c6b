import { queryOptions, useQuery } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import type { Project } from '#contract/shapes.ts'
import { callQuery } from '#web/lib/api/call-query.ts'

export type { Project }

/** Fetched once per page, and again if another sale file is applied. */
export const projectQuery = queryOptions({
  ...callQuery(['project'], saleContract.getCurrentProject, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Like `useProject`, with the error and a way to retry. */
export function useProjectQuery() {
  return useQuery(projectQuery)
}

export function useProject(): Project | undefined {
  return useProjectQuery().data
}
