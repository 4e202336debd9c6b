import { queryOptions } from '@tanstack/react-query'
import { snapshotsContract } from '#contract/operator/snapshots.ts'
import { call } from '#web/lib/api/call.ts'

const LOOK_EVERY_MS = 30_000
/** However many buyers there are, a look takes at most this part of the time. */
const PAUSE_PER_DURATION = 20

let tookMs = 0

export const snapshotsQuery = queryOptions({
  queryKey: ['operator', 'snapshots'],
  queryFn: async ({ signal }) => {
    const askedAt = performance.now()
    const report = await call(snapshotsContract.getSnapshots, {}, { signal })
    tookMs = performance.now() - askedAt
    return report
  },
  refetchInterval: () => Math.max(LOOK_EVERY_MS, tookMs * PAUSE_PER_DURATION),
})
