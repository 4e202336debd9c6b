import { toolTraits } from '#domain/delivery/tools.ts'
import { notifyDeliveries } from '#server/database/delivery/distribution-events.ts'
import {
  type StoredDistribution,
  updateDistribution,
} from '#server/database/delivery/distributions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { DeliveryChain, DeliveryReading } from '#server/ports/claims.ts'
import type { Services } from '#server/services.ts'
import { askNode } from '#server/use-cases/access/ask-node.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { refused } from '#server/use-cases/distributions/refused.ts'
import { followSender, isQuiet, watchedOf } from './follow-distributions.ts'

/**
 * Allowed beyond those that are not deep enough: some arrive while a reading waits for its turn.
 */
const UNREAD_BLOCKS_MAX = 100

/**
 * Reads and records what became of a distribution up to the newest block before it is ended:
 * anything delivered in unread blocks would be handed out twice. A contract from which buyers claim
 * must be empty, and so for good. Refuses with `DistributionRefused` and `RailUnavailable`.
 */
export async function readBeforeEnd(services: Services, stored: StoredDistribution): Promise<void> {
  const { tool, contract, chain_id: chainId } = stored
  if (contract === null) return
  const chain = services.deliveryChains.get(Number(chainId))
  if (chain === undefined) {
    throw refused(
      `Set EVM_RPC_URL_${chainId} first: without a node nobody can see what was already handed out`,
    )
  }
  const reading = await askNode(readToHead(services, chain, stored))
  if (toolTraits[tool].delivers === 'claim') await requireEmpty(chain, stored, reading)
}

type End = { act: 'closeDistribution' | 'withdrawDistribution'; id: bigint; reason: string }

/** What has not arrived is due again from now on. */
export async function endDistribution(
  services: Services,
  transaction: DatabaseTransaction,
  operator: Operator,
  { act, id, reason }: End,
): Promise<null> {
  const state = act === 'closeDistribution' ? 'closed' : 'withdrawn'
  await updateDistribution(transaction, id, { state, ended_at: services.clock.now(), reason })
  await notifyDeliveries(transaction, id)
  const details = { distribution_id: String(id), reason }
  await recordAction(services, transaction, operator, { act, details })
  return null
}

async function readToHead(services: Services, chain: DeliveryChain, stored: StoredDistribution) {
  const unread = (await chain.height()) - (stored.read_height ?? -1n)
  const isNear =
    stored.read_height !== null && unread <= BigInt(chain.confirmations + UNREAD_BLOCKS_MAX)
  const reading = isNear ? await followSender(services, chain, stored) : null
  if (reading?.isWhole === true) return reading
  throw new Unavailable('The chain was not read up to now. Try again in a minute')
}

async function requireEmpty(
  chain: DeliveryChain,
  stored: StoredDistribution,
  reading: DeliveryReading,
): Promise<void> {
  const { contract } = stored
  const watched = watchedOf(stored)
  if (watched !== null && (await askNode(chain.remaining(watched, reading.head.hash))) > 0n) {
    throw refused(
      `The contract at ${contract} still holds tokens, which can be claimed. Take them back first`,
    )
  }
  if (isQuiet(reading)) return
  throw refused(
    `Tokens have just left the contract at ${contract}, which a reorganisation could ` +
      `undo. Try again when that is ${chain.confirmations} blocks deep`,
  )
}
