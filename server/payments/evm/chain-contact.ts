import type { PaymentToken } from '#domain/sale/sale.ts'
import type { AddressBook, KeyIdentity } from '#server/ports/address-book.ts'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import type { HealthMonitor } from '#server/payments/chains/chain-health.ts'
import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { EvmNode } from './calls/node.ts'
import type { Asset } from './calls/read-balances.ts'
import { skipUsedIndexes } from './skip-used-indexes.ts'
import { createTokenChecks } from './tokens/token-checks.ts'

/** What is known of a chain's nodes and of the sale's tokens on it, checked regularly. */
export type ChainContact = {
  /** Asks the nodes for the first time. However many callers wait for that, it happens once. */
  connect(): Promise<void>
  /** Runs the checks that are due. Throws `Unavailable` if the node does not answer them. */
  check(node: EvmNode, head: Block): Promise<void>
  /** Throws `Unavailable`, with the reason, if a token cannot be used to buy now. */
  require(paymentToken: PaymentToken): Promise<void>
  /** The same reason as far as it is known now; null if there is none. */
  faultOf(paymentToken: PaymentToken): string | null
  /** The contracts of the tokens that match the sale file. */
  contracts(): readonly Asset[]
}

type Options = {
  name: string
  pool: NodePool<EvmNode>
  paymentTokens: readonly PaymentToken[]
  key: KeyIdentity
  derive(index: number): string
  book: AddressBook
  health: HealthMonitor
  pace: Pace
  log: Log
}

/** How long after a failed first contact nobody waits for the next one. */
const CONTACT_PAUSE_MS = 5_000
const RECHECK_MS = 10 * 60_000

export function createChainContact(options: Options): ChainContact {
  const { name: chain, pool, key, health, pace, log } = options
  const tokens = createTokenChecks(chain, options.paymentTokens, log)
  let isPrepared = false
  let checkDueAt = 0
  let connecting: Promise<void> | null = null
  let connectDueAt = 0

  async function check(node: EvmNode, head: Block): Promise<void> {
    if (isPrepared && performance.now() < checkDueAt) return
    await tokens.run(node, head.hash)
    if (!isPrepared) await skipUsed(node, head)
    isPrepared = true
    checkDueAt = performance.now() + (tokens.hasFaults() ? pace.recheckMs : RECHECK_MS)
  }

  async function skipUsed(node: EvmNode, { hash }: Block): Promise<void> {
    const { book, derive } = options
    const skippedTo = await skipUsedIndexes(node, hash, tokens.contracts(), book, key, derive)
    if (skippedTo === null) return
    const facts = { chain, key: key.name, nextIndex: skippedTo }
    log.warn(facts, 'The chain knows addresses that the database does not. They are skipped')
  }

  async function connectNow(): Promise<void> {
    await pool.use(async (node) => {
      await check(node, await node.head())
    })
    health.markHealthy()
  }

  async function connect(): Promise<void> {
    if (connecting === null && performance.now() < connectDueAt) {
      throw new Unavailable(`No node of ${chain} has answered yet`)
    }
    connecting ??= connectNow().finally(() => {
      connecting = null
      connectDueAt = performance.now() + CONTACT_PAUSE_MS
    })
    await connecting
  }

  const faultOf: ChainContact['faultOf'] = ({ id }) =>
    tokens.faultOf(id) ?? health.unavailableReason()

  return {
    connect,
    check,
    contracts: tokens.contracts,
    faultOf,
    async require(paymentToken) {
      if (!isPrepared) await connect()
      const fault = faultOf(paymentToken)
      if (fault !== null) throw new Unavailable(fault)
    },
  }
}
