import { type Query, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountContract, type OperatorSelf } from '#contract/operator/account.ts'
import type { Permission } from '#domain/operators/permissions.ts'
import { call, CallError } from '#web/lib/api/call.ts'

const SELF = ['operator', 'self']

/** An invitation is nobody's yet, and its link works once. */
const isTheirs = ({ queryKey: [, what] }: Query) => what !== 'self' && what !== 'invitation'

/** Who is signed in. If that is another person than before, what was loaded for that one goes. */
export const selfQuery = queryOptions({
  queryKey: SELF,
  queryFn: async ({ client, signal }) => {
    const self = await call(accountContract.getSelf, {}, { signal })
    if (client.getQueryData<OperatorSelf>(SELF)?.id !== self.id) {
      client.removeQueries({ type: 'inactive', predicate: isTheirs })
      void client.resetQueries({ predicate: isTheirs })
    }
    return self
  },
})

/** Whether a call failed because nobody is signed in any more. */
export const isSignedOut = (error: unknown) => error instanceof CallError && error.code === 401

/** Who is signed in; use it only within `SignedIn`. */
export function useSelf(): OperatorSelf {
  const { data } = useQuery(selfQuery)
  if (data === undefined) throw new Error('Nobody is signed in here.')
  return data
}

/** Whether the person may do something; what they may not do is not shown to them. */
export function useMay(permission: Permission): boolean {
  return useSelf().permissions.includes(permission)
}

/** Ends the session on the server and clears everything that it showed. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await call(accountContract.signOut, {}).catch((error: unknown) => {
      if (!isSignedOut(error)) throw error
    })
    client.removeQueries({ type: 'inactive' })
    // Components still on the page refetch who is signed in, which is now nobody.
    await client.resetQueries()
  }
}
