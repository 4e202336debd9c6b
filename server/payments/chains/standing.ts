import type { ChainStanding, Log } from '#server/services.ts'

/** Keeps in mind how a chain stands, and logs where it stands still for long. */
export type Standing = {
  /** After a reading that learnt all there is to learn now. */
  noteWorked(): void
  /** After one that did not; the sentence says why. */
  noteFault(why: string): void
  current(): ChainStanding
}

type Options = {
  chain: string
  /** What cannot be bought with while it stands still. */
  symbols: readonly string[]
  log: Log
}

/** A chain that was not read for so long takes no new purchases: nobody would see the payment. */
export const SILENT_MAX_MS = 120_000

export function createStanding({ chain, symbols: unavailable, log }: Options): Standing {
  const startedAt = performance.now()
  let workedAt: number | null = null
  let fault: string | null = null
  let isTold = false

  return {
    noteWorked() {
      workedAt = performance.now()
      fault = null
      if (isTold) log.info({ chain }, 'A chain that stood still is read again')
      isTold = false
    },
    noteFault(why) {
      fault = why
      if (isTold || performance.now() - (workedAt ?? startedAt) <= SILENT_MAX_MS) return
      isTold = true
      log.error({ chain, unavailable, why }, 'A chain stands still. Nothing can be bought by it')
    },
    current: () => ({
      readAgoMs: workedAt === null ? null : performance.now() - workedAt,
      fault,
    }),
  }
}

/** Why nothing can be bought by a chain, a sentence: it was not read of late. Null where it was. */
export function silenceOf(chain: string, { readAgoMs, fault }: ChainStanding): string | null {
  if (readAgoMs !== null && readAgoMs <= SILENT_MAX_MS) return null
  const since = readAgoMs === null ? 'yet' : `for ${SILENT_MAX_MS / 1000} s`
  return `${chain} has not been read to its end ${since}${fault === null ? '' : `: ${fault}`}`
}
