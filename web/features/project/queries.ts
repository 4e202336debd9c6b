import { useQuery } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import type { Project } from '#contract/shapes.ts'
import { call } from '#web/lib/call.ts'

export const projectQuery = {
  queryKey: ['project'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(saleContract.getCurrentProject, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
}

/** The project whose token is sold; undefined until it is known. */
export function useProject(): Project | undefined {
  return useQuery(projectQuery).data
}
