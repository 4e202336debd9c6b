import { unlessRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { DECIMALS, hasWords } from './abi.ts'
import type { EvmNode } from './node.ts'

/** How nodes report that a contract failed. */
const REVERTED = /revert|invalid opcode|out of gas/i

/** Null if the contract reverts, as one does without the function that is called. */
export const unlessReverted = <Answer>(answer: Promise<Answer>) =>
  unlessRefused(answer, ({ detail }) => REVERTED.test(detail))

/** Of a token; null if there is no token contract. */
export async function readDecimals(
  node: EvmNode,
  contract: string,
  blockHash: string,
): Promise<bigint | null> {
  const answer = await unlessReverted(node.call({ to: contract, data: DECIMALS }, blockHash))
  return answer !== null && hasWords(answer, 1) ? BigInt(answer) : null
}
