import { OWN_ADDRESS, type RefusedAddress } from '#domain/refunds/address-faults.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { type PaymentToken, paymentTokenOf } from '#domain/sale/sale.ts'
import { isOwnAddress } from '#server/database/rails/payout-record.ts'
import type { Rail } from '#server/ports/rail.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

export type WantedAddress = { paymentTokenId: string; chain: string; address: string }

/** For a chain that this server does not read. */
const ANY_ADDRESS = /^[\x21-\x7e]{4,200}$/

/**
 * The caller's address as its chain writes it. `isChecked` is false if a gateway holds the money,
 * since only the gateway can check it. Refuses with `UnknownPaymentToken`, `InvalidInput`,
 * `TooManyRequests`.
 */
export async function checkAddress(
  services: Services,
  wanted: WantedAddress,
  { userId }: Caller,
): Promise<{ address: string; isChecked: boolean }> {
  await services.limits.take('refund_address_by_user', userId)
  return await readAddress(services, wanted)
}

/** The same without counting it. */
export async function readAddress(
  services: Services,
  { paymentTokenId, chain, address: text }: WantedAddress,
): Promise<{ address: string; isChecked: boolean }> {
  const { rail, paymentToken } = findRail(services, { paymentTokenId, chain })
  const payouts = rail.payouts
  const read = await (payouts?.readAddress(paymentToken, text) ?? readAnyAddress(text))
  const isOwn = 'address' in read && (await isOwnAddress(services.database, read.address))
  const usable = isOwn ? OWN_ADDRESS : read
  if ('fault' in usable) throw wrongField('address', usable.fault, usable.why)
  return { address: usable.address, isChecked: payouts !== undefined }
}

function readAnyAddress(text: string): { address: string } | RefusedAddress {
  const address = text.trim()
  if (ANY_ADDRESS.test(address)) return { address }
  return { why: 'form', fault: 'Must be an address, without spaces' }
}

function findRail(
  { sale, rails }: Services,
  { paymentTokenId, chain }: Pick<WantedAddress, 'paymentTokenId' | 'chain'>,
): { rail: Rail; paymentToken: PaymentToken } {
  const paymentToken = paymentTokenOf(sale, paymentTokenId)
  const rail = [...rails.values()].find(({ chains }) => chains.includes(chain))
  if (paymentToken === undefined || rail === undefined) throw new Refusal('UnknownPaymentToken')
  if (!isItsRail(rail, paymentToken, chain)) throw new Refusal('UnknownPaymentToken')
  return { rail, paymentToken }
}

/**
 * Whether a rail still takes a coin on the same chain as when it was paid: another sale file may
 * have moved it. A gateway holds what it took, whatever takes the coin by now.
 */
export function isItsRail(rail: Rail, paymentToken: PaymentToken, chain: string): boolean {
  if (rail.payouts === undefined) return true
  return rail.name === paymentToken.rail && rail.chainOf(paymentToken) === chain
}
