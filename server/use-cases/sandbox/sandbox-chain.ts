import { cryptoAmount, parseDecimal } from '#domain/money.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { paymentTokenOf } from '#domain/sale/sale.ts'
import { findPurchasesByAddress } from '#server/database/purchases/purchases.ts'
import { findPayoutToken } from '#server/database/rails/payout-record.ts'
import { receiptIdOf } from '#server/database/purchases/receipts.ts'
import {
  mineSandboxBlocks,
  mineSandboxBlockWhenDue,
  replaceSandboxBlocks,
  sendSandboxTransfer,
} from '#server/database/rails/sandbox-chain.ts'
import type { Services } from '#server/services.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'

/**
 * Pays an address on the simulated chain; the payment then waits for a block. If it is an address
 * at which a buyer wants to be paid back, the sale pays out, in the asset of the claim. Returns the
 * receipt's id.
 */
export async function paySandbox(
  services: Services,
  payment: { address: string; amount: string },
): Promise<string> {
  requireSandbox(services)
  const { database, random, clock } = services
  const { address } = payment
  const { paymentTokenId, decimals, isOutgoing } = await findPayee(services, address)
  const transactionHash = `sandbox-${random.id()}`
  const amount = readAmount(payment.amount, decimals)
  const transfer = { transactionHash, address, paymentTokenId, amount, sentAt: clock.now() }
  await sendSandboxTransfer(database, transfer, isOutgoing)
  await watchChains(services)
  return receiptIdOf(CHAIN, transactionHash, 0)
}

/** The asset that an address is paid in: that of a purchase, or of a refund claim. */
async function findPayee({ database, sale }: Services, address: string) {
  const purchase = (await findPurchasesByAddress(database, [address])).get(address)
  if (purchase !== undefined) {
    const { paymentTokenId, cryptoDecimals: decimals } = purchase.terms
    return { paymentTokenId, decimals, isOutgoing: false }
  }
  const claimed = paymentTokenOf(sale, await findPayoutToken(database, CHAIN, address))
  if (claimed === undefined)
    throw new Refusal('NotFound', { message: 'No purchase has this address' })
  return { paymentTokenId: claimed.id, decimals: claimed.decimals, isOutgoing: true }
}

const CHAIN = 'sandbox'

/** More than any coin has units, and less than what the database holds. */
const UNITS_MAX = 10n ** 60n

function readAmount(text: string, decimals: number) {
  const units = parseDecimal(text, decimals)
  if (units !== null && units > 0n && units < UNITS_MAX) return cryptoAmount(units)
  throw wrongField('amount', `Must be more than 0, with at most ${decimals} decimals`)
}

const BLOCK_INTERVAL_MS = 5_000

/** Adds blocks to the simulated chain and settles what follows. Returns the height. */
export async function mineSandbox(services: Services, count: number): Promise<bigint> {
  requireSandbox(services)
  const height = await mineSandboxBlocks(services.database, count, services.clock.now())
  await watchChains(services)
  return height
}

/** Lets the simulated chain grow by itself, on whichever instance comes first. */
export async function mineSandboxWhenDue(services: Services): Promise<void> {
  const { database, clock } = services
  if (await mineSandboxBlockWhenDue(database, BLOCK_INTERVAL_MS, clock.now())) {
    await watchChains(services)
  }
}

/** Replaces the last blocks with empty ones and settles what follows. Returns the height. */
export async function reorganiseSandbox(services: Services, depth: number): Promise<bigint> {
  requireSandbox(services)
  const height = await replaceSandboxBlocks(services.database, depth, services.clock.now())
  await watchChains(services)
  return height
}

/** The sandbox's calls do not exist unless the server runs as one. */
function requireSandbox({ settings }: Services): void {
  if (!settings.isSandbox) throw new Refusal('NotFound')
}
