import { Refusal } from '#domain/refusal.ts'
import { hasEvents, wasDownloaded } from '#server/database/delivery/distributions.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait, requireApproval } from '#server/use-cases/approvals/require-approval.ts'
import {
  type DistributionRecord,
  getDistribution,
} from '#server/use-cases/distributions/distribution-view.ts'
import { lockDistribution, refused } from '#server/use-cases/distributions/refused.ts'
import { endDistribution, readBeforeEnd } from './end-distribution.ts'

/**
 * Withdraws a distribution that was not handed out (`approvedAt`: the contract that a second person
 * has seen, empty before it was published): its tokens are due again, and another one can
 * hand them out. Once its files were downloaded or it is published this takes two people. For a
 * published one the chain is read to its newest block, nobody may have received anything, and its
 * contract must be empty. Throws `WaitsForApproval`.
 * Refuses with `NotFound`, `DistributionClosed`, `DistributionRefused`, `RailUnavailable`, and with
 * `ApprovalChanged` if it was published after it was asked for.
 */
export async function withdrawDistribution(
  services: Services,
  { id, reason, approvedAt }: { id: bigint; reason: string; approvedAt?: string },
  operator: Operator,
): Promise<DistributionRecord> {
  const looked = await getDistribution(services, id)
  await readBeforeEnd(services, looked)
  await actOrWait(services, operator, async (transaction) => {
    const stored = await lockDistribution(transaction, id)
    if (stored.state !== 'made' && stored.state !== 'published') {
      throw new Refusal('DistributionClosed')
    }
    if (stored.state !== looked.state) {
      throw refused('It was published just now. Look at it again')
    }
    if (approvedAt !== undefined && approvedAt !== (stored.contract ?? '')) {
      const message = 'It was published after this was asked for. Look at it again'
      throw new Refusal('ApprovalChanged', { message })
    }
    if (await hasEvents(transaction, id)) {
      throw refused(
        'Some of its tokens have reached their owners, or were taken back. Close it instead',
      )
    }
    const isPublished = stored.state === 'published'
    if (isPublished || (await wasDownloaded(transaction, id))) {
      const waits = await requireApproval(services, transaction, operator, {
        act: 'withdrawDistribution',
        input: { id: String(id), reason, contract: stored.contract ?? '' },
        summary: isPublished
          ? `Withdraw distribution ${id}, which is published at ${stored.contract}`
          : `Withdraw distribution ${id}, whose files were downloaded. If they were used, all of ` +
            'it is handed out twice',
        about: String(id),
        usd: null,
      })
      if (waits !== null) return waits
    }
    const end = { act: 'withdrawDistribution' as const, id, reason }
    return await endDistribution(services, transaction, operator, end)
  })
  return await getDistribution(services, id)
}
