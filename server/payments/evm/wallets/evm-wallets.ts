import { OWN_ADDRESS } from '#domain/refunds/address-faults.ts'
import { unlessUnavailable } from '#server/payments/chains/nodes/node-pool.ts'
import { createEvmPool } from '#server/payments/evm/calls/evm-pool.ts'
import { readEvmAddress } from '#server/payments/evm/payouts/read-address.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { SignatureCheck, Wallets } from '#server/ports/wallets.ts'
import { checkByNode } from './check-by-node.ts'
import { domainOf, writeWalletMessage } from './wallet-message.ts'

export type EvmWalletsOptions = {
  /** By chain id, including chains on which the sale takes no payments. */
  nodeUrls: ReadonlyMap<number, readonly Secret[]>
  /** The seller's own addresses, whose key no buyer has. */
  sellers: readonly string[]
  /** Of the server, without a slash at the end. */
  publicUrl: string
}

/** An ECDSA signature: r, s and the parity. */
const KEY_SIGNATURE = /^0x[0-9a-f]{130}$/i
/** The code of a key's account that delegates to a contract (EIP-7702). */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/i

/** Wallets on EVM chains. Nodes are asked only if a contract has to be. */
export function createEvmWallets({ nodeUrls, sellers, publicUrl }: EvmWalletsOptions): Wallets {
  const sellersOwn = new Set(sellers.map((address) => address.toLowerCase()))
  const pools = new Map(
    [...nodeUrls].map(([chainId, urls]) => [chainId, createEvmPool(chainId, urls)]),
  )

  return {
    async readAddress(text, contracts) {
      const read = await readEvmAddress(text, contracts)
      const isOwn = 'address' in read && sellersOwn.has(read.address.toLowerCase())
      return isOwn ? OWN_ADDRESS : read
    },
    hasNode: (chainId) => pools.has(chainId),
    async isContract(chainId, address) {
      const pool = pools.get(chainId)
      if (pool === undefined) return null
      const asked = pool.use(({ rpc }) => rpc.call('eth_getCode', [address, 'latest']))
      const code = await unlessUnavailable(asked)
      return typeof code === 'string' ? code !== '0x' && !DELEGATION.test(code) : null
    },
    writeMessage: (message) => writeWalletMessage(publicUrl, message),
    async checkSignature({ message, signature, now }) {
      const text = await writeWalletMessage(publicUrl, message)
      const { signer: address, chainId, nonce, expiresAt } = message
      if (now >= expiresAt) return { by: null, why: 'wrong' }
      if (KEY_SIGNATURE.test(signature) && (await signerOf(text, signature)) === address) {
        return { by: 'key' }
      }
      const pool = pools.get(chainId)
      if (pool === undefined) return UNCHECKED
      const domain = domainOf(publicUrl)
      const signed = { address, domain, message: text, nonce, signature, now }
      return (await unlessUnavailable(pool.use((node) => checkByNode(node, signed)))) ?? UNCHECKED
    },
  }
}

const UNCHECKED: SignatureCheck = { by: null, why: 'unchecked' }

/** With its checksum; null if the numbers do not form a signature. */
async function signerOf(text: string, signature: string): Promise<string | null> {
  const { recoverMessageAddress } = await import('viem/utils')
  return await recoverMessageAddress({
    message: text,
    signature: signature as `0x${string}`,
  }).catch(() => null)
}
