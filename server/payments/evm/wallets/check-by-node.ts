import { Unavailable } from '#domain/unavailable.ts'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'
import type { SignatureCheck } from '#server/ports/wallets.ts'

export type SignedText = {
  address: string
  domain: string
  message: string
  nonce: string
  signature: string
  now: Date
}

type Hex = `0x${string}`

/** The answer of a program that was stopped, whatever the node calls it. */
const STOPPED = /revert|invalid opcode|invalid instruction|bad jump|invalid jump|stack|out of gas/i
const REVERTED = 3

/**
 * Asks the contract at an address, or the one that its signature would deploy there, whether it
 * accepts a signature (EIP-1271, ERC-6492, ERC-8010), at one block, which is stored with the
 * answer. Throws `Unavailable` if the node could not say.
 */
export async function checkByNode(
  node: EvmNode,
  { address, domain, message, nonce, signature, now }: SignedText,
): Promise<SignatureCheck> {
  const { createClient, custom } = await import('viem')
  const { verifySiweMessage } = await import('viem/siwe')
  const { number: height, hash } = await node.head()
  const seen: { fault: Unavailable | null } = { fault: null }
  const transport = custom(
    {
      request: async ({ method, params }: { method: string; params?: readonly unknown[] }) =>
        await node.rpc.call(method, params ?? []).catch((error: unknown) => {
          // viem takes every failed call as a no; failures that are not are kept apart here.
          if (error instanceof Unavailable && !isStopped(error)) seen.fault = error
          throw error
        }),
    },
    { retryCount: 0 },
  )
  const isRight = await verifySiweMessage(createClient({ transport }), {
    address: address as Hex,
    domain,
    message,
    nonce,
    signature: signature as Hex,
    time: now,
    blockHash: hash as Hex,
  }).catch((error: unknown) => {
    // Bytes that look like a wrapped signature but are not.
    if (error instanceof Error) return false
    throw error
  })
  if (isRight) return { by: 'contract', block: { height, hash } }
  if (seen.fault !== null) throw seen.fault
  return { by: null, why: 'wrong' }
}

function isStopped(error: Unavailable): boolean {
  return error instanceof RpcRefused && (error.code === REVERTED || STOPPED.test(error.detail))
}
