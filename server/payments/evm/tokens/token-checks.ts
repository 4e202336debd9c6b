import type { PaymentToken } from '#domain/sale/sale.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { Asset } from '#server/payments/evm/calls/read-balances.ts'
import { readDecimals } from '#server/payments/evm/calls/contract-calls.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'

/** The payment tokens of a chain that match the sale file. */
export type TokenChecks = {
  /** Asks a node about each; logs changes. */
  run(node: EvmNode, blockHash: string): Promise<void>
  /** Why a token cannot be used to buy; null if it can. */
  faultOf(paymentTokenId: string): string | null
  hasFaults(): boolean
  contracts(): readonly Asset[]
}

export function createTokenChecks(
  chain: string,
  paymentTokens: readonly PaymentToken[],
  log: Log,
): TokenChecks {
  const faults = new Map<string, string>()

  function note(id: string, fault: string | null): void {
    const former = faults.get(id) ?? null
    if (fault === former) return
    if (fault === null) {
      faults.delete(id)
      log.info({ chain, paymentToken: id }, 'A payment token can be used again')
    } else {
      faults.set(id, fault)
      log.error({ chain, paymentToken: id }, `A payment token cannot be used. ${fault}`)
    }
  }

  return {
    async run(node, blockHash) {
      for (const token of paymentTokens) note(token.id, await checkToken(node, token, blockHash))
    },
    faultOf: (id) => faults.get(id) ?? null,
    hasFaults: () => faults.size > 0,
    contracts: () =>
      paymentTokens.flatMap(({ id, contract }) =>
        contract === null || faults.has(id) ? [] : [contract.toLowerCase()],
      ),
  }
}

/**
 * Why a payment token cannot be accepted as the sale file describes it, as a sentence; null if it
 * can. Throws `Unavailable` if the node does not say.
 */
async function checkToken(
  node: EvmNode,
  { symbol, contract, decimals, chainId }: PaymentToken,
  blockHash: string,
): Promise<string | null> {
  if (contract === null) return null
  const where = `${contract} on chain ${chainId}`
  const actual = await readDecimals(node, contract, blockHash)
  if (actual === null) {
    return `There is no token contract for ${symbol} at ${where}: correct it in the sale file`
  }
  if (actual === BigInt(decimals)) return null
  return `${symbol} at ${where} has ${actual} decimals, and ${decimals} in the sale file: correct it there`
}
