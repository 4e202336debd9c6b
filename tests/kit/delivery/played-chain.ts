import type { DeliveryChain, DeliveryReading, SeenDelivery } from '#server/ports/claims.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

export const hashOf = (number: number | bigint) => `0x${number.toString(16).padStart(64, '0')}`

/** The newest block of the simulated chain. */
const HEAD = 20n

/** Makes something happen at the newest block. */
export function seenAt(seen: Partial<SeenDelivery>, height = HEAD): SeenDelivery {
  return {
    kind: 'claimed',
    place: null,
    owner: null,
    receiver: `0x${'dd'.repeat(20)}`,
    claimed: null,
    amount: 0n,
    transactionHash: hashOf(height),
    logIndex: 0,
    blockHeight: height,
    blockHash: hashOf(height),
    at: new Date(0),
    ...seen,
  }
}

/** The result of reading the chain to its newest block, all of which is deep enough. */
export function readingOf(found: readonly SeenDelivery[], height = HEAD): DeliveryReading {
  return {
    after: 0n,
    through: height,
    head: { height, hash: hashOf(height) },
    lastSentAt: null,
    settled: { height, hash: hashOf(height) },
    found,
    isWhole: true,
  }
}

/** Simulates the chain on which tokens are delivered, with nothing on it yet. */
export function playChain(
  { services }: Pick<TestApp, 'services'>,
  changes: Partial<DeliveryChain> = {},
): void {
  const chain: DeliveryChain = {
    chainId: 56,
    confirmations: 1,
    explorerUrl: () => null,
    height: async () => HEAD,
    decimalsOf: async () => 18,
    remaining: async () => 0n,
    contractOf: async () => ({ hasCode: true, root: null, token: null, remaining: 10n ** 60n }),
    read: async () => readingOf([]),
    health: () => ({ readAgoMs: 0, fault: null }),
    ...changes,
  }
  Object.assign(services, { deliveryChains: new Map([[56, chain]]) })
}
