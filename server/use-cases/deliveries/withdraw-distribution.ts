import { Refusal } from '#domain/refusal.ts'
import { notifyDeliveries } from '#server/database/delivery/distribution-events.ts'
import {
  hasEvents,
  lockDistribution,
  lockDistributions,
  updateDistribution,
} from '#server/database/delivery/distributions.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait, requireApproval } from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import {
  type DistributionRecord,
  getDistribution,
} from '#server/use-cases/distributions/distribution-view.ts'
import { noSuchDistribution, refused } from '#server/use-cases/distributions/refused.ts'
import { readBeforeEnd } from './read-before-end.ts'

/**
 * Withdraws a distribution that was not handed out: its tokens are due again, and another one can
 * hand them out. For a published one this takes two people; the chain is read to its newest block,
 * nobody may have received anything, and its contract must be empty. Throws `WaitsForApproval`.
 * Refuses with `NotFound`, `DistributionClosed`, `DistributionRefused`, `RailUnavailable`.
 */
export async function withdrawDistribution(
  services: Services,
  { id, reason }: { id: bigint; reason: string },
  operator: Operator,
): Promise<DistributionRecord> {
  const looked = await getDistribution(services, id)
  await readBeforeEnd(services, looked)
  await actOrWait(services, operator, async (transaction) => {
    await lockDistributions(transaction)
    const stored = await lockDistribution(transaction, id)
    if (stored === null) throw noSuchDistribution()
    if (stored.state !== 'made' && stored.state !== 'published') {
      throw new Refusal('DistributionClosed')
    }
    if (stored.state !== looked.state) {
      throw refused('It was published just now. Look at it again')
    }
    if (await hasEvents(transaction, id)) {
      throw refused(
        'Some of its tokens have reached their owners, or were taken back. Close it instead',
      )
    }
    if (stored.state === 'published') {
      const waits = await requireApproval(services, transaction, operator, {
        act: 'withdrawDistribution',
        input: { id: String(id), reason, contract: stored.contract ?? '' },
        summary: `Withdraw distribution ${id}, which is published at ${stored.contract}`,
        about: String(id),
        usd: null,
      })
      if (waits !== null) return waits
    }
    const ended_at = services.clock.now()
    const end = { state: 'withdrawn' as const, ended_at, reason }
    await updateDistribution(transaction, id, end)
    await notifyDeliveries(transaction, id)
    await recordAction(services, transaction, operator, {
      act: 'withdrawDistribution',
      details: { distribution_id: String(id), reason },
    })
    return null
  })
  return await getDistribution(services, id)
}
