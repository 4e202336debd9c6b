import { queryOptions } from '@tanstack/react-query'
import { snapshotsContract } from '#contract/operator/snapshots.ts'
import { call } from '#web/lib/api/call.ts'

const LOOK_EVERY_MS = 30_000

/** How the closing of the books stands. */
export const snapshotsQuery = queryOptions({
  queryKey: ['operator', 'snapshots'],
  queryFn: ({ signal }) => call(snapshotsContract.getSnapshots, {}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
})
