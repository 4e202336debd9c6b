import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { toolsWithPages, toolTraits } from '#domain/delivery/tools.ts'
import { formatGrouped } from '#domain/money.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { notifyDeliveries } from '#server/database/delivery/distribution-events.ts'
import {
  findPublishedAt,
  type StoredDistribution,
  updateDistribution,
} from '#server/database/delivery/distributions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { askNode } from '#server/use-cases/access/ask-node.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  actOrWait,
  requireAppliedSale,
  requireApproval,
} from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { rootText } from './distribution-file.ts'
import { type DistributionRecord, getDistribution } from './distribution-view.ts'
import { whyListOutdated } from './outdated.ts'
import { lockDistribution, refused } from './refused.ts'

export type Publication = {
  id: bigint
  /** The contract from which buyers claim, or the wallet that sends to them. */
  contract: string
  /** Which campaign of the contract it is, if the contract has many: 16 bytes, or a UUID. */
  campaign: string | null
  /** The first block that is read. */
  fromHeight: bigint
  claimUrl: string | null
  expiresAt: Date | null
  /** The operator states that its contract is funded, some of it claimed, or its transfers sent. */
  isHandedOut: boolean
}

/**
 * Names the contract of a distribution, so that the server reads what happens there and buyers see
 * where to claim. First compares whatever the contract can be asked for. One that is out of date is
 * refused unless it was handed out, which nothing but its publication shows to the server. Throws
 * `WaitsForApproval`.
 * Refuses with `NotFound`, `InvalidInput`, `DistributionClosed`, `DistributionRefused`,
 * `RailUnavailable`, `Unavailable`.
 */
export async function publishDistribution(
  services: Services,
  publication: Publication,
  operator: Operator,
): Promise<DistributionRecord> {
  const { id, fromHeight, claimUrl, expiresAt, isHandedOut } = publication
  const contract = await services.distributionFiles.readAddress(publication.contract)
  if (contract === null) {
    throw wrongField('contract', 'Must be an address of 0x and 40 digits with its right checksum')
  }
  const made = await getDistribution(services, id)
  const campaign = readCampaign(made, publication)
  requireTerms(services, made, publication)
  const isChecked = await checkContract(services, made, { ...publication, contract, campaign })
  await actOrWait(services, operator, async (transaction) => {
    const stored = await lockDistribution(transaction, id)
    if (stored.state !== 'made') throw new Refusal('DistributionClosed')
    // Also what was approved waits for the sale that the list is compared with.
    await requireAppliedSale(services, transaction)
    const outdated = await whyListOutdated(services, transaction, stored)
    if (outdated !== null && !isHandedOut) throw refused(`${outdated}. ${OUTDATED}`)
    await requireUnused(transaction, stored, { contract, campaign })
    const waits = await requireApproval(services, transaction, operator, {
      act: 'publishDistribution',
      input: {
        id: String(id),
        contract,
        campaign,
        from_block: String(fromHeight),
        claim_url: claimUrl,
        expires_date: expiresAt?.toISOString() ?? null,
        is_handed_out: isHandedOut,
        root: rootText(stored.root),
        amount: String(stored.amount),
      },
      summary:
        `Publish distribution ${id} of ${formatGrouped(stored.amount, stored.token_decimals)} ` +
        `${services.sale.project.symbol} at ${nameOf({ contract, campaign })}` +
        (outdated === null ? '' : `, though it is out of date. ${outdated}`),
      about: String(id),
      usd: null,
    })
    if (waits !== null) return waits
    const now = services.clock.now()
    await updateDistribution(transaction, id, {
      state: 'published',
      contract,
      campaign,
      claim_url: claimUrl,
      from_height: readFrom(stored, fromHeight),
      expires_at: expiresAt,
      published_at: now,
    })
    await notifyDeliveries(transaction, id)
    await recordAction(services, transaction, operator, {
      act: 'publishDistribution',
      details: {
        distribution_id: String(id),
        contract,
        ...(campaign !== null && { campaign }),
        ...(outdated !== null && { outdated }),
        compared_on_chain: String(isChecked),
      },
    })
    return null
  })
  return await getDistribution(services, id)
}

/** What buyers are told cannot be corrected later. */
function requireTerms(
  { clock }: Services,
  { tool }: Pick<StoredDistribution, 'tool'>,
  { claimUrl, expiresAt }: Pick<Publication, 'claimUrl' | 'expiresAt'>,
): void {
  if (expiresAt !== null && expiresAt <= clock.now()) {
    throw wrongField('expires_date', 'Must be in the future')
  }
  if (claimUrl !== null || !toolsWithPages.includes(tool)) return
  throw wrongField(
    'claim_url',
    'Give the page of the campaign: buyers claim there, and it cannot be added later',
  )
}

const OUTDATED =
  'Then withdraw this list and make another one; or, if it was handed out already, say so and ' +
  'publish it (is_handed_out), so that nothing of it is handed out twice'

/** It may have been handed out from the moment on at which it was made. */
function readFrom({ made_height: made }: StoredDistribution, fromHeight: bigint): bigint {
  return made !== null && made < fromHeight ? made : fromHeight
}

/** Claims from other campaigns of the same contract must never count as claims from ours. */
function readCampaign(
  { tool }: Pick<StoredDistribution, 'tool'>,
  { campaign }: Pick<Publication, 'campaign'>,
): string | null {
  const { hasCampaigns } = toolTraits[tool]
  if (!hasCampaigns && campaign === null) return null
  if (!hasCampaigns) {
    throw wrongField('campaign', 'The contract of this tool has only one campaign: leave this out')
  }
  if (campaign === null) {
    throw wrongField('campaign', 'Give the id of the campaign in the contract')
  }
  return `0x${campaign.toLowerCase().replace(/^0x/, '').replaceAll('-', '')}`
}

const nameOf = ({ contract, campaign }: Pick<Publication, 'contract' | 'campaign'>) =>
  campaign === null ? contract : `${contract}, campaign ${campaign}`

/** Tools whose contracts name their root and their token. */
const toolsWithOwnRoot: readonly DistributionTool[] = [
  'uniswap',
  'sablier_instant',
  'sablier_linear',
  'sablier_tranched',
  'hedgey',
]

/**
 * False if no node of the chain is set up. Refuses if anything differs from the distribution, or if
 * its contract cannot pay all of it.
 */
async function checkContract(
  { deliveryChains }: Services,
  stored: StoredDistribution,
  { contract, campaign, fromHeight, isHandedOut }: Publication,
): Promise<boolean> {
  const chainId = Number(stored.chain_id)
  const chain = deliveryChains.get(chainId)
  if (chain === undefined) return false
  const { token, token_decimals: decimals, root } = stored
  const actual = await askNode(chain.decimalsOf(token))
  if (actual !== decimals) {
    throw refused(
      actual === null
        ? `At ${token} on chain ${chainId} there is no token contract`
        : `The contract of the token has ${actual} decimals, and this distribution was ` +
            `made for ${decimals}. Withdraw it, correct the sale file and make another one`,
    )
  }
  const height = await askNode(chain.height())
  if (fromHeight > height) {
    throw wrongField(
      'from_block',
      `The newest block of the chain is ${height}: give the one in which the contract was made, ` +
        'or one before the first transfer',
    )
  }
  if (toolTraits[stored.tool].delivers === 'send') return true
  const claim = await askNode(chain.contractOf({ token, contract, campaign }))
  if (!claim.hasCode) throw refused(`At ${contract} on chain ${chainId} there is no contract`)
  if (campaign !== null && claim.root === null) {
    throw refused(
      `The contract at ${contract} has no campaign ${campaign}, or nothing is left in it`,
    )
  }
  if (toolsWithOwnRoot.includes(stored.tool) && (claim.root === null || claim.token === null)) {
    throw refused(
      `The contract at ${contract} is not one of this tool: it names no root or no token`,
    )
  }
  if (claim.root !== null && root !== null && !Buffer.from(root).equals(claim.root)) {
    throw refused(
      `The contract at ${contract} has the root ${rootText(claim.root)}, and this distribution ` +
        `${rootText(root)}: the file was changed on its way, or belongs to another distribution`,
    )
  }
  if (claim.token !== null && claim.token.toLowerCase() !== token.toLowerCase()) {
    throw refused(`The contract at ${contract} hands out another token, ${claim.token}`)
  }
  if (claim.remaining < stored.amount && !isHandedOut) {
    const textOf = (amount: bigint) => formatGrouped(amount, decimals)
    throw refused(
      `The contract at ${contract} has ${textOf(claim.remaining)} of the ` +
        `${textOf(stored.amount)} tokens that buyers are told they can claim. Send it the rest ` +
        'first; or, if some were claimed already, say that it was handed out (is_handed_out)',
    )
  }
  return true
}

/** With two lists at one Merkle contract, a claim there would belong to both. */
async function requireUnused(
  transaction: DatabaseTransaction,
  { chain_id: chainId, root }: StoredDistribution,
  place: Pick<Publication, 'contract' | 'campaign'>,
): Promise<void> {
  if (root === null) return
  const other = await findPublishedAt(transaction, chainId, place)
  if (other === null) return
  throw refused(`Distribution ${other} was published at this contract already`)
}
