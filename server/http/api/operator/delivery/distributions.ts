import { distributionsContract } from '#contract/operator/distributions.ts'
import { orNull } from '#contract/codec.ts'
import { implement } from '#server/http/routing/implement.ts'
import { readDistributionFile } from '#server/use-cases/distributions/distribution-file.ts'
import {
  getDistribution,
  listDistributions,
  lookAhead,
} from '#server/use-cases/distributions/distribution-view.ts'
import { makeDistribution } from '#server/use-cases/distributions/make-distribution.ts'
import { publishDistribution } from '#server/use-cases/distributions/publish-distribution.ts'
import { closeDistribution } from '#server/use-cases/deliveries/close-distribution.ts'
import { withdrawDistribution } from '#server/use-cases/deliveries/withdraw-distribution.ts'
import {
  presentDistribution,
  presentDistributionRecord,
  presentOutlook,
} from './present-distributions.ts'

export const distributionsRoutes = implement(distributionsContract, {
  listDistributions: async (services, { query }) => {
    const page = await listDistributions(services, query)
    return { data: page.items.map(presentDistribution), after: orNull(page.after, String) }
  },
  lookAheadAtDistributions: async (services) =>
    presentOutlook(await lookAhead(services), services.sale.project.decimals),
  getDistribution: async (services, { params }) =>
    presentDistributionRecord(await getDistribution(services, params.id)),
  makeDistribution: async (services, { body }, operator) => {
    const { snapshot, tool, through = null } = body
    const made = await makeDistribution(services, { snapshot, tool, through }, operator)
    return presentDistributionRecord(made)
  },
  getDistributionFile: async (services, { params }, operator) =>
    await readDistributionFile(services, params, operator),
  publishDistribution: async (services, { params, body }, operator) => {
    const publication = {
      id: params.id,
      contract: body.contract,
      campaign: body.campaign ?? null,
      fromHeight: BigInt(body.from_block),
      claimUrl: body.claim_url ?? null,
      expiresAt: body.expires_date ?? null,
      isHandedOut: body.is_handed_out,
    }
    return presentDistributionRecord(await publishDistribution(services, publication, operator))
  },
  withdrawDistribution: async (services, { params, body }, operator) => {
    const withdrawn = { id: params.id, reason: body.reason }
    return presentDistributionRecord(await withdrawDistribution(services, withdrawn, operator))
  },
  closeDistribution: async (services, { params, body }, operator) => {
    const { reason, sends_nothing_more: sendsNothingMore } = body
    const closing = { id: params.id, reason, sendsNothingMore }
    return presentDistributionRecord(await closeDistribution(services, closing, operator))
  },
})
