import type { PaymentToken } from '#domain/sale/sale.ts'
import { type Log, Unavailable } from '#server/services.ts'

type Meeting = {
  chain: string
  /** Where its nodes are. */
  hosts: readonly string[]
  /** Those of the sale that are on this chain. */
  paymentTokens: readonly PaymentToken[]
  log: Log
  /** Asks the nodes for the first time. */
  contact(): Promise<void>
}

/** Meets a chain when the server starts. Logs what is wrong, and throws nothing. */
export async function meetChain(meeting: Meeting): Promise<void> {
  const { chain, hosts, paymentTokens, log, contact } = meeting
  try {
    await contact()
    log.info({ chain, nodes: hosts }, 'A chain is watched')
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    const symbols = paymentTokens.map(({ symbol }) => symbol)
    log.error(
      { chain, unavailable: symbols, why: error.message },
      'A chain cannot be reached. Nothing can be bought in its tokens until it can',
    )
  }
}
