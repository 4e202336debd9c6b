import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { call } from './call.ts'

/** The query that makes a call of the contract, and aborts it once nobody waits for the answer. */
export function callQuery<E extends Endpoint>(queryKey: QueryKey, endpoint: E, input: InputOf<E>) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => call(endpoint, input, { signal }) })
}
