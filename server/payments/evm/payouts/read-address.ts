import type { RefusedAddress } from '#domain/refunds/address-faults.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { foreignAddress } from '#server/payments/payouts/foreign-address.ts'

/** Precompiled contracts and reserved numbers are below this (EIP-1352). */
const RESERVED_BELOW = 0x1_0000n

/** Addresses whose key nobody has, and to which people nevertheless send coins. */
const NOBODYS = new Set([
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
  // What many programs write for a chain's own coin.
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  '0xffffffffffffffffffffffffffffffffffffffff',
])

/**
 * An address with the checksum of EIP-55, or why nothing can be sent to it. An address in only one
 * case has no checksum, and is accepted.
 * @param paymentTokens Those of the sale on the chain: their contracts cannot send anything on.
 */
export async function readEvmAddress(
  text: string,
  paymentTokens: readonly Pick<PaymentToken, 'symbol' | 'contract'>[],
): Promise<{ address: string } | RefusedAddress> {
  const given = text.trim()
  const digits = /^0x([\da-f]{40})$/i.exec(given)?.[1]
  if (digits === undefined) {
    const found = foreignAddress(given)
    return {
      why: found?.why ?? 'form',
      fault:
        `${found === null ? 'This is not an address' : `This is ${found.what}`}. ` +
        'Enter one of 42 characters that begins with 0x',
    }
  }
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  // Loaded when first needed: that takes half a second, for which no start should wait.
  const { getAddress } = await import('viem/utils')
  const lower = `0x${digits.toLowerCase()}` as const
  const address = getAddress(lower)
  if (!isPlain && address !== `0x${digits}`) {
    return {
      why: 'form',
      fault: 'A letter of this address is wrong: copy it again from your wallet',
    }
  }
  if (BigInt(lower) < RESERVED_BELOW || NOBODYS.has(lower)) {
    return {
      why: 'nobody',
      fault: 'Nobody has the key of this address: what is sent there is lost',
    }
  }
  const token = paymentTokens.find(({ contract }) => contract?.toLowerCase() === lower)
  if (token !== undefined) {
    return {
      why: 'contract',
      fault: `This is the contract of ${token.symbol}, not a wallet: what is sent there is lost`,
    }
  }
  return { address }
}
