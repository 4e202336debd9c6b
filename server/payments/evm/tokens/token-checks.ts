import type { PaymentToken } from '#domain/sale/sale.ts'
import type { Log } from '#server/services.ts'
import type { Asset } from '#server/payments/evm/calls/ask-many.ts'
import { checkToken } from './check-token.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'

/** Which of a chain's payment tokens are what the sale file says. */
export type TokenChecks = {
  /** Asks a node about each; logs what has changed. */
  run(node: EvmNode, blockHash: string): Promise<void>
  /** Why nothing can be bought in a token; null where it can. */
  faultOf(paymentTokenId: string): string | null
  hasFaults(): boolean
  /** The contracts of those that are. */
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
      log.info({ chain, paymentToken: id }, 'A payment token can be paid in again')
    } else {
      faults.set(id, fault)
      log.error({ chain, paymentToken: id }, `A payment token cannot be paid in. ${fault}`)
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
