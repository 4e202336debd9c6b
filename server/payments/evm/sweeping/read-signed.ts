import { getAddress, keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { cryptoAmount } from '#domain/money.ts'
import type { SignedTransfer } from '#server/ports/sweeping.ts'

/** The selector of `transfer(address,uint256)`. */
const TRANSFER_CALL = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/

/**
 * Reads a signed transaction that moves coins or tokens and does nothing else. The signer is
 * computed from the signature. Returns a sentence for anything else.
 */
export async function readSigned(raw: string): Promise<SignedTransfer | { fault: string }> {
  try {
    const bytes = raw as `0x${string}`
    const {
      type,
      chainId,
      to,
      value = 0n,
      data,
      gas,
      gasPrice,
      nonce,
      ...rest
    } = parseTransaction(bytes)
    if (type !== 'legacy') return { fault: 'is not of the kind that is signed for sweeping' }
    if (chainId === undefined) return { fault: 'is not bound to a chain' }
    if (!to || gas === undefined || gasPrice === undefined || rest.r === undefined) {
      return { fault: 'is incomplete or not signed' }
    }
    const signed = {
      hash: keccak256(bytes),
      raw,
      chainId,
      from: await recoverTransactionAddress({ serializedTransaction: bytes as never }),
      nonce: BigInt(nonce ?? 0),
      gas,
      gasPrice,
    }
    if (data === undefined || data === '0x') {
      return { ...signed, to: getAddress(to), contract: null, amount: cryptoAmount(value) }
    }
    const [, recipient, amount] = TRANSFER_CALL.exec(data) ?? []
    if (recipient === undefined || amount === undefined || value !== 0n) {
      return { fault: 'calls something other than a transfer of tokens' }
    }
    return {
      ...signed,
      to: getAddress(`0x${recipient}`),
      contract: to.toLowerCase(),
      amount: cryptoAmount(BigInt(`0x${amount}`)),
    }
  } catch {
    return { fault: 'cannot be read as a signed transaction' }
  }
}
