import type { PaymentToken } from '#domain/sale/sale.ts'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'

const DECIMALS_SELECTOR = '0x313ce567'
const WORD_LENGTH = 66

/**
 * Why a payment token cannot be taken as the sale file describes it, a sentence; null where it can.
 * Throws `Unavailable` where the node does not say.
 */
export async function checkToken(
  node: EvmNode,
  { symbol, contract, decimals, chainId }: PaymentToken,
  blockHash: string,
): Promise<string | null> {
  if (contract === null) return null
  const where = `${contract} on chain ${chainId}`
  const answer = await askDecimals(node, contract, blockHash)
  if (answer === null || answer.length !== WORD_LENGTH) {
    return `There is no token contract for ${symbol} at ${where}: correct it in the sale file`
  }
  const actual = BigInt(answer)
  if (actual === BigInt(decimals)) return null
  return `${symbol} at ${where} has ${actual} decimals, and ${decimals} in the sale file: correct it there`
}

async function askDecimals(node: EvmNode, to: string, blockHash: string): Promise<string | null> {
  try {
    return await node.call({ to, data: DECIMALS_SELECTOR }, blockHash)
  } catch (error) {
    // A contract without that function reverts, which is an answer as well.
    if (error instanceof RpcRefused && /revert|invalid opcode|out of gas/i.test(error.message)) {
      return null
    }
    throw error
  }
}
