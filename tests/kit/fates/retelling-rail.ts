import type { ChainReading, Rail } from '#server/ports/rail.ts'

/** Parts a chain transaction's hash from the number of one of its further outputs. */
const OUTPUT = '#'

/** The hash under which the simulated chain keeps a further output of a chain transaction. */
export const outputHash = (hash: string, index: number): string => `${hash}${OUTPUT}${index}`

export type RetellingRail = Rail & {
  /** Lets the next reading tell of everything there ever was, twice and newest first. */
  retell(): void
}

/**
 * The sandbox's rail as a busier chain would have it: a chain transaction may have several outputs,
 * and a reading may repeat what was told before.
 */
export function createRetellingRail(rail: Rail): RetellingRail {
  let isRetelling = false
  return {
    ...rail,
    retell() {
      isRetelling = true
    },
    read: async (chain, cursor) => {
      const reading = await rail.read(chain, isRetelling ? null : cursor)
      const transfers = reading.transfers.map(withOutput)
      const backwards = transfers.toReversed()
      const told = isRetelling ? [...backwards, ...backwards] : transfers
      isRetelling = false
      return { ...reading, transfers: told }
    },
  }
}

function withOutput(transfer: ChainReading['transfers'][number]) {
  const [transactionHash = '', index = '0'] = transfer.transactionHash.split(OUTPUT)
  return { ...transfer, transactionHash, index: Number(index) }
}
