import { useQuery, useQueryClient } from '@tanstack/react-query'
import { releasesContract } from '#contract/delivery/releases.ts'
import { askAgain } from '#web/lib/api/queries.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import { useSession, useUser } from '#web/session/session-context.tsx'

/** When the user's own tokens are released; it follows purchases and the sale live. */
export function useOwnReleases() {
  const { callAs } = useSession()
  const queries = useQueryClient()
  const queryKey = ['user', useUser()?.id, 'releases']
  useLiveEvents({
    onEvent: ({ type }) => {
      if (type === 'transaction' || type === 'sale') askAgain(queries, queryKey)
    },
    onOpen: () => void queries.invalidateQueries({ queryKey }),
  })
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callAs(releasesContract.getOwnReleases, {}, { signal }),
  })
}
