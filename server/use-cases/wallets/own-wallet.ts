import type { WalletStep } from '#domain/delivery/wallet.ts'
import { OWN_ADDRESS } from '#domain/refunds/address-faults.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import type { Delivery } from '#domain/sale/sale.ts'
import {
  findFrozen,
  findWallets,
  isDistributor,
  isShared,
  type WalletRow,
} from '#server/database/delivery/wallets.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { isOwnAddress } from '#server/database/rails/payout-record.ts'

export type OwnWallet = Awaited<ReturnType<typeof getOwnWallet>>

/** Where the caller's tokens go. Refuses with `NotFound` if the sale does not deliver tokens. */
export async function getOwnWallet(services: Services, { userId }: Pick<Caller, 'userId'>) {
  const { database, clock, wallets } = services
  const delivery = requireDelivery(services)
  const { current, waiting } = await findWallets(database, userId, clock.now())
  const listed = (await findFrozen(database, userId))?.address?.toLowerCase()
  const ifUnfrozen = waiting !== null ? 'cancel' : current === null ? 'set' : 'change'
  const nextStep: WalletStep = listed === undefined ? ifUnfrozen : 'frozen'
  return {
    delivery,
    current: current && {
      ...current,
      isShared: await isKnownShared(current),
      isListed: current.address.toLowerCase() === listed,
    },
    waiting,
    nextStep,
    checksContracts: wallets.hasNode(delivery.chainId),
  }

  /** Whoever has signed for a wallet may know; to others it would reveal who else has it. */
  async function isKnownShared({ proof, address }: WalletRow): Promise<boolean> {
    return proof !== 'none' && (await isShared(database, address, userId))
  }
}

/** Refuses with `NotFound` if the sale file does not say how tokens are delivered. */
export function requireDelivery({ sale }: Pick<Services, 'sale'>): Delivery {
  if (sale.delivery !== null) return sale.delivery
  throw new Refusal('NotFound', { message: 'This sale does not deliver tokens to wallets' })
}

/** Refuses to set a wallet while a snapshot is written, which says where tokens go. */
export function snapshotUnderWay(): Refusal {
  return new Refusal('Unavailable', {
    message: 'A snapshot of who owns the tokens is being written. Try again in a few minutes',
  })
}

/**
 * An address that tokens can be delivered to, with its checksum. Refuses with `InvalidInput` an
 * address whose key nobody has, a contract of the sale's tokens, and any address of the sale's own.
 * @param path The field that it came in.
 */
export async function readWalletAddress(
  services: Services,
  text: string,
  path = 'address',
): Promise<string> {
  const { database, sale, wallets } = services
  const { treasury } = requireDelivery(services)
  const { symbol, contract } = sale.project
  const contracts = [
    { symbol, contract: contract?.address ?? null },
    // On every chain: the same contract is often on several.
    ...sale.paymentTokens,
  ]
  const read = await wallets.readAddress(text, contracts)
  if ('fault' in read) throw wrongField(path, read.fault)
  const { address } = read
  const isOwn =
    address.toLowerCase() === treasury?.toLowerCase() ||
    (await isOwnAddress(database, address)) ||
    (await isDistributor(database, address))
  if (isOwn) throw wrongField(path, OWN_ADDRESS.fault)
  return address
}
