import type { Endpoint, InputOf, ResultOf } from '#contract/endpoint.ts'
import { call, type CallOptions, CallError } from '#web/lib/api/call.ts'
import { unauthenticated } from './fresh-token.ts'

export type CallAs = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options?: Pick<CallOptions, 'signal' | 'timeoutMs'>,
) => Promise<ResultOf<E>>

/**
 * Makes calls as the logged-in user. A 401 refreshes the tokens and retries once; if nobody is
 * logged in, a call for users is rejected with a 401 and not sent (specification section 7).
 */
export function createCallAs(
  isLoggedOut: () => boolean,
  freshToken: (refused?: string) => Promise<string>,
): CallAs {
  return async (endpoint, input, options = {}) => {
    const isVisitor = isLoggedOut()
    if (endpoint.access === 'open' || (endpoint.access === 'optional' && isVisitor)) {
      return call(endpoint, input, options)
    }
    if (isVisitor) throw unauthenticated()
    const accessToken = await freshToken()
    try {
      return await call(endpoint, input, { ...options, accessToken })
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 401) throw error
      return call(endpoint, input, { ...options, accessToken: await freshToken(accessToken) })
    }
  }
}
