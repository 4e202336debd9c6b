import { createHash } from 'node:crypto'

import { type DistributionTool, distributionTools } from '#domain/delivery/distribution.ts'
import { releaseMonths } from '#domain/delivery/release.ts'
import { toolTraits, type ToolTraits } from '#domain/delivery/tools.ts'
import { formatDecimal, formatGrouped, type TokenAmount, tokenAmount } from '#domain/money.ts'
import { wrongField } from '#domain/refusal.ts'
import { scheduleOf } from '#domain/sale/release-schedule.ts'
import type { Delivery, Sale } from '#domain/sale/sale.ts'
import {
  allowSlowMaking,
  hasUnwithdrawn,
  insertDistribution,
  insertFiles,
  insertRows,
  lockDistributions,
  type StoredDistribution,
} from '#server/database/delivery/distributions.ts'
import { insertNodes } from '#server/database/delivery/tree-nodes.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { MerkleTree } from '#server/ports/trees.ts'
import type { Services } from '#server/services.ts'
import { askNode } from '#server/use-cases/access/ask-node.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait } from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { type DistributionRecord, getDistribution } from './distribution-view.ts'
import { type DueQuestion, readDueRows } from './due-rows.ts'
import { contentOf, hashFile } from './file-content.ts'
import { requireNewest } from './outdated.ts'
import { refused, requireDelivery } from './refused.ts'
import { scheduleFor } from './schedule-for.ts'

export type WantedDistribution = {
  /** Must be the newest one. */
  snapshot: number
  tool: DistributionTool
  /** Months after the start of the releases; null for the whole. */
  through: number | null
}

/** What is due in all, as found by the first reading. */
type Sums = {
  rowCount: number
  tokens: TokenAmount
  amount: bigint
  dustCount: number
  dustTokens: TokenAmount
}

/**
 * Makes a distribution of the newest snapshot: a list of wallets and amounts for one tool, with its
 * tree and its files. If two are made at once, one waits for the other, so nothing is handed out
 * twice. Refuses with `InvalidInput`, `DistributionRefused`, `RailUnavailable`, and with
 * `Unavailable` if another one takes too long.
 */
export async function makeDistribution(
  services: Services,
  wanted: WantedDistribution,
  operator: Operator,
): Promise<DistributionRecord> {
  const { sale, distributionFiles: files } = services
  const { tool, through } = wanted
  const { delivery, token } = requireDelivery(sale)
  const traits = requireUsable(tool, through)
  const madeHeight = await heightOfChain(services, delivery, token)
  const made = await actOrWait(services, operator, async (transaction) => {
    await lockDistributions(transaction)
    await allowSlowMaking(transaction)
    const snapshot = await requireNewest(services, transaction, wanted.snapshot)
    await requireNoMixing(transaction, traits)
    const stageIds = snapshot.stages.map(({ stageId }) => stageId)
    requireWithinReleases(sale, stageIds, through)
    const schedule = scheduleFor(sale, tool, stageIds)
    const decimals = delivery.decimals
    const due = { sale, decimals, snapshot: snapshot.number, through, makingId: null }
    const width = files.leafWidth(tool)
    const walletsMax = snapshot.ownerCount - snapshot.unassigned.owners
    const leaves = width === null ? null : new Uint8Array(walletsMax * width)
    const sums = await readSums(services, transaction, due, { tool, traits, leaves })
    const tree =
      leaves === null || width === null || traits.tree === null
        ? null
        : await services.makeTree(traits.tree, cut(leaves, sums.rowCount * width), width)
    const row = {
      snapshot: snapshot.number,
      tool,
      through,
      chain_id: BigInt(delivery.chainId),
      token,
      token_decimals: decimals,
      row_count: sums.rowCount,
      tokens: sums.tokens,
      amount: sums.amount,
      dust_count: sums.dustCount,
      dust_tokens: sums.dustTokens,
      root: tree === null ? null : Buffer.from(tree.root),
      schedule: schedule === null ? null : JSON.stringify(schedule),
      made_at: services.clock.now(),
      made_height: madeHeight,
    }
    const id = await insertDistribution(transaction, row)
    await storeRows(transaction, { ...due, makingId: id }, tree, sums)
    if (tree !== null) await insertNodes(transaction, { distribution: id }, tree.nodes)
    await storeFiles(services, transaction, { ...row, id, schedule })
    await recordAction(services, transaction, operator, {
      act: 'makeDistribution',
      details: {
        distribution_id: String(id),
        snapshot: String(snapshot.number),
        tool,
        through: through === null ? 'all' : String(through),
        rows: String(sums.rowCount),
        amount: formatDecimal(sums.amount, decimals),
        ...(tree !== null && { root: `0x${Buffer.from(tree.root).toString('hex')}` }),
      },
    })
    return { id }
  })
  return await getDistribution(services, made.id)
}

/** Keeps only the first bytes, and frees the rest of the memory. */
function cut(bytes: Uint8Array<ArrayBuffer>, count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.buffer.transfer(count))
}

function requireUsable(tool: DistributionTool, through: number | null): ToolTraits {
  const traits = toolTraits[tool]
  if (traits.chain === 'solana') {
    throw refused(
      'Streamflow hands out tokens on Solana, and the wallets of this sale are addresses of EVM chains',
    )
  }
  if (traits.releases && through !== null) {
    throw wrongField('through', 'This tool gets the whole schedule: leave this out')
  }
  return traits
}

/**
 * A month after the last release is a slip of the hand, and would hand out everything. In one
 * before the first release nothing is due, which must not look as if all was handed out.
 */
function requireWithinReleases(sale: Sale, stageIds: readonly string[], through: number | null) {
  const months = releaseMonths(stageIds.map((stageId) => scheduleOf(sale, stageId)))
  const [first, last] = [months[0] ?? 0, months.at(-1) ?? 0]
  if (through === null || (through >= first && through <= last)) return
  if (through < first) {
    throw wrongField(
      'through',
      `The first release is in month ${first}: give ${first} or more, or leave this out for everything`,
    )
  }
  throw wrongField(
    'through',
    `The last release is in month ${last}: give ${last} or less, or leave this out for everything`,
  )
}

/**
 * The height of the chain; null without a node. Refuses if the token has other decimals there: a
 * list in those would hand out a thousand times too much, or too little.
 */
async function heightOfChain(
  { deliveryChains }: Services,
  { chainId, decimals: declared }: Delivery,
  token: string,
): Promise<bigint | null> {
  const chain = deliveryChains.get(chainId)
  if (chain === undefined) return null
  const decimals = await askNode(chain.decimalsOf(token))
  if (decimals === declared) return await askNode(chain.height())
  throw refused(
    decimals === null
      ? `At ${token} on chain ${chainId} there is no token contract`
      : `The contract of the token has ${decimals} decimals, and the sale file says ${declared} ` +
          '(delivery.decimals). Correct the sale file first',
  )
}

/** What is left of a part, with the whole schedule again, would be released before its time. */
async function requireNoMixing(transaction: DatabaseTransaction, { releases }: ToolTraits) {
  if (!releases) return
  const others = distributionTools.filter((tool) => !toolTraits[tool].releases)
  if (!(await hasUnwithdrawn(transaction, others))) return
  throw refused(
    'A part was handed out by a tool that releases nothing by itself. Hand out the ' +
      'remaining releases in the same way',
  )
}

async function readSums(
  { distributionFiles: files, sale }: Services,
  transaction: DatabaseTransaction,
  due: DueQuestion,
  {
    tool,
    traits,
    leaves,
  }: { tool: DistributionTool; traits: ToolTraits; leaves: Uint8Array | null },
): Promise<Sums> {
  const sums = { rowCount: 0, tokens: 0n, amount: 0n, dustCount: 0, dustTokens: 0n }
  for await (const { rows, dust } of readDueRows(transaction, due)) {
    sums.dustCount += dust.count
    sums.dustTokens += dust.tokens
    for (const row of rows) {
      if (leaves !== null) files.writeLeaf(tool, leaves, row)
      sums.rowCount += 1
      sums.tokens += row.tokens
      sums.amount += row.amount
    }
  }
  const { rowCount, dustTokens } = sums
  if (rowCount === 0) {
    throw refused(
      dustTokens > 0n
        ? `What is due rounds down to nothing in the ${due.decimals} decimals of the token’s ` +
            'contract'
        : 'Nobody with a wallet is due anything that was not already handed out',
    )
  }
  if (rowCount < traits.rowsMin) {
    throw refused(`This tool takes at least ${traits.rowsMin} wallets, and ${rowCount} is due`)
  }
  if (rowCount > traits.rowsMax) {
    throw refused(`This tool takes at most ${traits.rowsMax} wallets, and ${rowCount} are due`)
  }
  if (sums.amount > traits.amountMax) {
    const amount = formatGrouped(sums.amount, due.decimals)
    throw refused(`This tool cannot count as far as ${amount} ${sale.project.symbol}`)
  }
  return { ...sums, tokens: tokenAmount(sums.tokens), dustTokens: tokenAmount(sums.dustTokens) }
}

async function storeRows(
  transaction: DatabaseTransaction,
  due: DueQuestion & { makingId: bigint },
  tree: MerkleTree | null,
  sums: Sums,
): Promise<void> {
  const stored = { rowCount: 0, tokens: 0n, amount: 0n }
  for await (const { rows } of readDueRows(transaction, due)) {
    for (const { tokens, amount } of rows) {
      stored.rowCount += 1
      stored.tokens += tokens
      stored.amount += amount
    }
    const placed = rows.map((row) => {
      return { ...row, treeIndex: tree?.treeIndexes[row.place] ?? null }
    })
    await insertRows(transaction, due.makingId, placed)
  }
  const { rowCount, tokens, amount } = sums
  if (stored.rowCount === rowCount && stored.tokens === tokens && stored.amount === amount) return
  throw new Error('What is due has changed between the two readings of a distribution')
}

/** Writes each file once to hash it; nothing is kept. */
async function storeFiles(
  services: Services,
  transaction: DatabaseTransaction,
  stored: Parameters<typeof contentOf>[1] & Pick<StoredDistribution, 'id'>,
): Promise<void> {
  const content = contentOf(transaction, stored)
  const files = []
  for (const [place, part] of services.distributionFiles.list(content).entries()) {
    const { name, firstRow, rowCount } = part
    const hashed = await hashFile(services, content, part, createHash('sha256'))
    files.push({
      distribution_id: stored.id,
      place,
      name,
      first_row: firstRow,
      row_count: rowCount,
      ...hashed,
    })
  }
  await insertFiles(transaction, files)
}
