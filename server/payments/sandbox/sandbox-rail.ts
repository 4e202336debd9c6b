import { randomBytes } from 'node:crypto'
import type { Rail, SandboxReading } from '#server/ports/rail.ts'
import type { Clock } from '#server/ports/runtime.ts'
import { createSandboxPayouts, type SandboxOutgoing } from './sandbox-payouts.ts'

const CHAIN = 'sandbox'
const REQUIRED_CONFIRMATIONS = 2
const ADDRESS_BYTES = 20

export type SandboxRailOptions = {
  readAfter: (revision: bigint) => Promise<SandboxReading>
  readOutgoing: SandboxOutgoing
  clock: Clock
}

/**
 * Takes a sandbox's payments. Its addresses are deliberately invalid on every real chain, so that
 * nobody can send real money to one.
 */
export function createSandboxRail(options: SandboxRailOptions): Rail {
  const { readAfter, readOutgoing, clock } = options
  return {
    name: 'sandbox',
    addressesAreFree: true,
    chains: [CHAIN],
    chainOf: () => CHAIN,
    requiredConfirmations: () => REQUIRED_CONFIRMATIONS,
    createAddress: async ({ purchaseId, paymentToken }) => ({
      address: `sandbox-${paymentToken.id}-${base32(randomBytes(ADDRESS_BYTES))}`,
      paymentId: purchaseId,
      derivationIndex: null,
    }),
    read: async (_chain, cursor) => {
      // Taken before reading, so that nothing earlier can be missing.
      const readThrough = clock.now()
      const { height, revision, transfers } = await readAfter(BigInt(cursor ?? 0))
      return {
        cursor: String(revision),
        height,
        readThrough,
        transfers: transfers.map((transfer) => ({ ...transfer, index: 0 })),
      }
    },
    hashOf: (transactionHash) => transactionHash,
    explorerUrl: () => null,
    payouts: createSandboxPayouts(readOutgoing, REQUIRED_CONFIRMATIONS),
  }
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const BITS_PER_LETTER = 5n

function base32(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let left = bytes.length * 8; left > 0; left -= Number(BITS_PER_LETTER)) {
    text = ALPHABET.charAt(Number(value & 31n)) + text
    value >>= BITS_PER_LETTER
  }
  return text
}
