import { toolTraits } from '#domain/delivery/tools.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { findOutflow } from '#server/database/delivery/distribution-events.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait, requireApproval } from '#server/use-cases/approvals/require-approval.ts'
import {
  type DistributionRecord,
  getDistribution,
} from '#server/use-cases/distributions/distribution-view.ts'
import { lockDistribution, refused } from '#server/use-cases/distributions/refused.ts'
import { endDistribution, readBeforeEnd } from './end-distribution.ts'

export type Closing = {
  id: bigint
  reason: string
  /** The operator states that the wallet will send nothing more of it, which no chain can show. */
  sendsNothingMore: boolean
}

/**
 * Closes a published distribution by hand: what has arrived stays, and the rest is due again. This
 * takes two people. A contract must be unable to pay any more; for a list that a wallet sends, the
 * operator has to say so. Throws `WaitsForApproval`. Refuses with `NotFound`, `InvalidInput`,
 * `DistributionClosed`, `DistributionRefused`, `RailUnavailable`.
 */
export async function closeDistribution(
  services: Services,
  { id, reason, sendsNothingMore }: Closing,
  operator: Operator,
): Promise<DistributionRecord> {
  const looked = await getDistribution(services, id)
  if (looked.state === 'made') throw refused('It was never published. Withdraw it instead')
  if (looked.state !== 'published') throw new Refusal('DistributionClosed')
  if (toolTraits[looked.tool].delivers === 'send' && !sendsNothingMore) {
    throw wrongField(
      'sends_nothing_more',
      'Confirm that nothing more from it will be sent. Reject its transactions first',
    )
  }
  await readBeforeEnd(services, looked)
  await actOrWait(services, operator, async (transaction) => {
    const stored = await lockDistribution(transaction, id)
    if (stored.state !== 'published') throw new Refusal('DistributionClosed')
    const contract = stored.contract ?? ''
    if ((await findOutflow(transaction, id)).hasUnknown) {
      throw refused(
        `Tokens have left ${contract} without an event that can be read, so nobody knows who ` +
          'got them. Its remaining tokens cannot be handed out again',
      )
    }
    const waits = await requireApproval(services, transaction, operator, {
      act: 'closeDistribution',
      input: { id: String(id), reason, contract, sends_nothing_more: sendsNothingMore },
      summary: `Close distribution ${id}, which is published at ${contract}`,
      about: String(id),
      usd: null,
    })
    if (waits !== null) return waits
    const end = { act: 'closeDistribution' as const, id, reason }
    return await endDistribution(services, transaction, operator, end)
  })
  return await getDistribution(services, id)
}
