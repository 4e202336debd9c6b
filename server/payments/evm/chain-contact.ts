import type { PaymentToken } from '#domain/sale/sale.ts'
import { type Log, Unavailable } from '#server/services.ts'
import type { Asset } from './calls/read-balances.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import type { EvmNode } from './calls/node.ts'
import { meetChain } from '#server/payments/chains/meet-chain.ts'
import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import { silenceOf, type Standing } from '#server/payments/chains/standing.ts'
import { createTokenChecks } from './tokens/token-checks.ts'

/** What is known of a chain's nodes and of the sale's tokens on it, checked again and again. */
export type ChainContact = {
  /** The first contact of all. Logs what is wrong, and throws nothing. */
  first(): Promise<void>
  /** Checks what is due to be checked. Throws `Unavailable` where the node does not say. */
  check(node: EvmNode, head: Block): Promise<void>
  /** Throws `Unavailable`, with the reason, where nothing can be bought in a token now. */
  require(paymentToken: PaymentToken): Promise<void>
  /** That reason as far as it is known now; null where there is none. */
  faultOf(paymentToken: PaymentToken): string | null
  /** The contracts of the tokens that are what the sale file says. */
  contracts(): readonly Asset[]
}

type Options = {
  chain: string
  pool: NodePool<EvmNode>
  paymentTokens: readonly PaymentToken[]
  standing: Standing
  log: Log
  /** Between two checks of what is not as the sale file says. */
  recheckMs: number
  /** Done once, at the first contact. */
  prepare(node: EvmNode, head: Block, contracts: readonly Asset[]): Promise<void>
}

/** After a first contact that failed: meanwhile nobody waits for the next one. */
const CONTACT_PAUSE_MS = 5_000
const RECHECK_MS = 10 * 60_000

export function createChainContact(options: Options): ChainContact {
  const { chain, pool, paymentTokens, standing, log, recheckMs, prepare } = options
  const tokens = createTokenChecks(chain, paymentTokens, log)
  let isPrepared = false
  let checkDueAt = 0
  let contacting: Promise<void> | null = null
  let contactDueAt = 0

  async function check(node: EvmNode, head: Block): Promise<void> {
    if (isPrepared && performance.now() < checkDueAt) return
    await tokens.run(node, head.hash)
    if (!isPrepared) await prepare(node, head, tokens.contracts())
    isPrepared = true
    checkDueAt = performance.now() + (tokens.hasFaults() ? recheckMs : RECHECK_MS)
  }

  async function contact(): Promise<void> {
    await pool.use(async (node) => {
      await check(node, await node.head())
    })
    standing.noteWorked()
  }

  /** However many wait, the nodes are asked once. */
  async function contactOnce(): Promise<void> {
    if (contacting === null && performance.now() < contactDueAt) {
      throw new Unavailable(`No node of ${chain} has answered yet`)
    }
    contacting ??= contact().finally(() => {
      contacting = null
      contactDueAt = performance.now() + CONTACT_PAUSE_MS
    })
    await contacting
  }

  const faultOf: ChainContact['faultOf'] = ({ id }) =>
    tokens.faultOf(id) ?? silenceOf(chain, standing.current())

  return {
    first: () => meetChain({ chain, hosts: pool.hosts, paymentTokens, log, contact: contactOnce }),
    check,
    contracts: tokens.contracts,
    faultOf,
    async require(paymentToken) {
      if (!isPrepared) await contactOnce()
      const fault = faultOf(paymentToken)
      if (fault !== null) throw new Unavailable(fault)
    },
  }
}
