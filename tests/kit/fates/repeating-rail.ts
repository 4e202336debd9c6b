import type { ChainReading, Rail } from '#server/ports/rail.ts'

/** Separates a chain transaction's hash from the number of one of its further outputs. */
const OUTPUT = '#'

/** The hash under which the simulated chain keeps a further output of a chain transaction. */
export const outputHash = (hash: string, index: number): string => `${hash}${OUTPUT}${index}`

export type RepeatingRail = Rail & {
  /** Makes the next reading report every transfer there ever was, twice and newest first. */
  repeatAll(): void
}

/**
 * The sandbox's rail as on a busier chain: a chain transaction may have several outputs, and a
 * reading may repeat earlier reports.
 */
export function createRepeatingRail(rail: Rail): RepeatingRail {
  let isRepeating = false
  return {
    ...rail,
    repeatAll() {
      isRepeating = true
    },
    read: async (chain, cursor) => {
      const reading = await rail.read(chain, isRepeating ? null : cursor)
      const transfers = reading.transfers.map(withOutput)
      const backwards = transfers.toReversed()
      const reported = isRepeating ? [...backwards, ...backwards] : transfers
      isRepeating = false
      return { ...reading, transfers: reported }
    },
  }
}

function withOutput(transfer: ChainReading['transfers'][number]) {
  const [transactionHash = '', index = '0'] = transfer.transactionHash.split(OUTPUT)
  return { ...transfer, transactionHash, index: Number(index) }
}
