import type { ChainHealth } from '#server/ports/rail.ts'
import type { Log } from '#server/ports/runtime.ts'

/** Remembers how well a chain is being read, and logs when reading stalls. */
export type HealthMonitor = {
  /** After a reading that found everything there is to know at present. */
  markHealthy(): void
  /** After one that did not; the sentence says why. */
  markUnhealthy(why: string): void
  current(): ChainHealth
  /** Why nothing can be bought through the chain, as a sentence; null if it was read recently. */
  unavailableReason(): string | null
}

type Options = {
  chain: string
  /** The symbols of coins that cannot be used to buy while it stalls. */
  symbols: readonly string[]
  log: Log
}

/** A chain that was not read for this long takes no new purchases: nobody would see the payment. */
const SILENT_MAX_MS = 120_000

export function createHealthMonitor({ chain, symbols: unavailable, log }: Options): HealthMonitor {
  const startedAt = performance.now()
  let healthyAt: number | null = null
  let fault: string | null = null
  let isLogged = false

  const isSilent = (since: number) => performance.now() - since > SILENT_MAX_MS

  return {
    markHealthy() {
      healthyAt = performance.now()
      fault = null
      if (isLogged) log.info({ chain }, 'A chain that had stopped is read again')
      isLogged = false
    },
    markUnhealthy(why) {
      fault = why
      if (isLogged || !isSilent(healthyAt ?? startedAt)) return
      isLogged = true
      log.error(
        { chain, unavailable, why },
        'A chain is not being read. Nothing can be bought with its tokens',
      )
    },
    current: () => ({
      readAgoMs: healthyAt === null ? null : performance.now() - healthyAt,
      fault,
    }),
    unavailableReason() {
      if (healthyAt !== null && !isSilent(healthyAt)) return null
      const since = healthyAt === null ? 'yet' : `for ${SILENT_MAX_MS / 1000} s`
      return `${chain} has not been read to its end ${since}${fault === null ? '' : `: ${fault}`}`
    },
  }
}
