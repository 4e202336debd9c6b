import { QueryClient } from '@tanstack/react-query'
import { CallError } from '#web/lib/call-error.ts'

const STALE_MS = 30_000
const RETRIES = 2

/** A refusal is an answer; only what did not reach the server or broke there is asked again. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= RETRIES) return false
  return !(error instanceof CallError) || !error.isFromServer || error.code === 500
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: STALE_MS, retry: isWorthRetrying } },
  })
}
