import { useQuery } from '@tanstack/react-query'
import { releasesContract } from '#contract/delivery/releases.ts'
import { useLiveQuery, useOwnQuery } from '#web/session/own-query.ts'

/** When the user's own tokens are released; it follows purchases and the sale live. */
export function useOwnReleases() {
  const query = useOwnQuery(['releases'], releasesContract.getOwnReleases, {})
  useLiveQuery(query.queryKey, ['transaction', 'sale'])
  return useQuery(query)
}
