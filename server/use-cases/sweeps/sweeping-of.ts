import { Refusal } from '#domain/refusal.ts'
import { isDerived } from '#server/database/sweeps/sweeps.ts'
import type { Sweeping, SweptChain } from '#server/ports/sweeping.ts'
import type { Services } from '#server/services.ts'

export type Sweepable = { sweeping: Sweeping; chain: SweptChain }

export function listSweepable({ rails }: Services): Sweepable[] {
  return [...rails.values()].flatMap(({ sweeping }) =>
    sweeping === undefined ? [] : sweeping.chains.map((chain) => ({ sweeping, chain })),
  )
}

/**
 * The chain with an id, and its treasury. Refuses with `SweepRefused` if there is none, or if the
 * treasury is one of our own addresses, from which money would only have to be swept again.
 */
export async function requireTreasury(
  services: Services,
  chainId: number,
): Promise<Sweepable & { treasury: string }> {
  const found = listSweepable(services).find(({ chain }) => chain.chainId === chainId)
  if (found === undefined) {
    throw refused(`No payments are received on chain ${chainId} by keys of your own`)
  }
  const { treasury } = found.chain
  if (treasury === null) throw refused(`EVM_TREASURY_${chainId} must be set: where to sweep to`)
  const isOurs = treasury === found.sweeping.payer || (await isDerived(services.database, treasury))
  if (isOurs) {
    throw refused(
      `EVM_TREASURY_${chainId} is an address of the sale itself: set an address of another wallet`,
    )
  }
  return { ...found, treasury }
}

export function refused(message: string): Refusal {
  return new Refusal('SweepRefused', { message })
}
