import {
  onceTools,
  type RowSight,
  rowState,
  sumOf,
  tokensArrived,
} from '#domain/delivery/delivery-state.ts'
import { hexOf } from '#domain/delivery/proof-receipt.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { proofNodes } from '#domain/delivery/tree-proof.ts'
import { tokenAmount } from '#domain/money.ts'
import {
  findOwned,
  listPartEvents,
  listParts,
  type PartRow,
} from '#server/database/delivery/delivered-parts.ts'
import type { EventRow } from '#server/database/delivery/distribution-events.ts'
import { findNodes } from '#server/database/delivery/tree-nodes.ts'
import {
  findWallets,
  listWalletRecords,
  type WalletRow,
} from '#server/database/delivery/wallets.ts'
import type { Services } from '#server/services.ts'
import { toContractUnits } from '#server/use-cases/distributions/due-rows.ts'

export type DeliveredPart = Awaited<ReturnType<typeof partOf>>

/**
 * Which of a user's tokens were handed out and what became of them, the newest first, and what no
 * distribution has handed out yet. Empty without `delivery`.
 */
export async function listOwnDeliveries(services: Services, userId: string) {
  const { database, sale } = services
  if (sale.delivery === null) return { waiting: null, parts: [] }
  const parts = await listParts(database, userId)
  const events = Map.groupBy(
    await listPartEvents(database, userId),
    ({ distribution_id: id }) => id,
  )
  const wallets = await listWalletRecords(database, userId)
  const delivered = await Promise.all(
    parts.map(async (part) => {
      const whole = await partOf(services, part, events.get(part.distribution_id) ?? [])
      return isProved(wallets, part) ? whole : ownShare(whole, part)
    }),
  )
  return { waiting: await findWaiting(services, userId, delivered), parts: delivered }
}

/** Whether the row is the user's alone, or the wallet was shown to be theirs. */
function isProved(wallets: readonly WalletRow[], part: PartRow): boolean {
  if (part.row_tokens === part.tokens) return true
  return wallets.some(
    ({ address, proof }) =>
      proof !== 'none' && address.toLowerCase() === part.address.toLowerCase(),
  )
}

/** Somebody who pasted another person's wallet must not learn what that person is given. */
function ownShare(whole: DeliveredPart, { tokens, row_tokens: all }: PartRow): DeliveredPart {
  const share = (amount: bigint) => (amount * tokens) / all
  return {
    ...whole,
    amount: share(whole.amount),
    arrived: share(whole.arrived),
    proof: null,
    isWithheld: whole.proof !== null,
  }
}

/**
 * Once the books are closed, the amount is final. The wallet is the one that the tokens go to now:
 * no list is made for another one that the snapshot still has.
 */
async function findWaiting(services: Services, userId: string, parts: readonly DeliveredPart[]) {
  const { database, clock, sale } = services
  const owned = await findOwned(database, userId)
  const total = owned?.tokens ?? (await services.readAccount(userId))?.balances.total ?? 0n
  // What an ended distribution did not hand out is due again.
  const given = parts.map((part) =>
    part.hasEnded ? tokensArrived(part.tool, part, part.arrived) : part.tokens,
  )
  const tokens = given.reduce((rest, each) => rest - each, total)
  if (tokens <= 0n) return null
  // Of what was handed out, a rest that the contract cannot count waits for nothing.
  if (parts.length > 0 && isUncountable(sale, tokens)) return null
  const { current } = await findWallets(database, userId, clock.now())
  const address = current?.address ?? owned?.address ?? null
  const state: 'unassigned' | 'assigned' = address === null ? 'unassigned' : 'assigned'
  const isListed = address !== null && address.toLowerCase() === owned?.address?.toLowerCase()
  return { state, tokens, address, isFrozen: owned !== null, isListed }
}

function isUncountable({ project, delivery }: Services['sale'], tokens: bigint): boolean {
  if (delivery === null) return false
  return toContractUnits(tokenAmount(tokens), project.decimals, delivery.decimals) === 0n
}

/** `tokens` are the user's; `amount` is the whole row's, in base units of the token's contract. */
async function partOf(services: Services, part: PartRow, events: readonly EventRow[]) {
  const chain = services.deliveryChains.get(Number(part.chain_id))
  const required = chain?.confirmations ?? 1
  const { read_height: readHeight } = part
  const isDeep = ({ block_height: height }: EventRow) => readHeight !== null && height <= readHeight
  const seen = events.map((event): RowSight => ({ ...event, isDeep: isDeep(event) }))
  const hasEnded = part.state !== 'published'
  const state = rowState(part.tool, part.amount, seen, { isSwept: part.is_swept, hasEnded })
  const arrived = sumOf(seen)
  const given = hasEnded && arrived > 0n ? givenBy(part, arrived) : part
  return {
    distributionId: part.distribution_id,
    state,
    hasEnded,
    tool: part.tool,
    tokens: given.tokens,
    amount: given.amount,
    arrived,
    decimals: part.token_decimals,
    address: part.address,
    chainId: Number(part.chain_id),
    token: part.token,
    isToClaim: toolTraits[part.tool].delivers === 'claim',
    contract: part.contract,
    claimUrl: part.claim_url,
    expiresAt: part.expires_at,
    place: part.place,
    proof: state === 'published' ? await proofOf(services, part) : null,
    /** Whether the proof is shown only once the wallet has signed. */
    isWithheld: false,
    transfers: events.map((event) => ({
      hash: event.transaction_hash,
      explorerUrl: chain?.explorerUrl(event.transaction_hash) ?? null,
      receiver: event.receiver,
      at: event.at,
      confirmations: isDeep(event) ? required : confirmationsOf(event, readHeight, required),
      requiredConfirmations: required,
    })),
  }
}

/** What an ended list has given: if a wallet sent a part, only that. The rest comes by another. */
function givenBy(part: PartRow, arrived: bigint): Pick<PartRow, 'tokens' | 'amount'> {
  const { tool, amount } = part
  const isShort = !onceTools.includes(tool) && arrived < amount
  return { tokens: tokensArrived(tool, part, arrived), amount: isShort ? arrived : amount }
}

/** For contracts whose claims need only a row and its proof; the others have their own pages. */
async function proofOf({ database }: Services, part: PartRow): Promise<readonly string[] | null> {
  const { distribution_id: distribution, tool, row_count: rowCount, tree_index: treeIndex } = part
  const { tree } = toolTraits[tool]
  if (tool !== 'uniswap' && tool !== 'openzeppelin') return null
  if (tree === null || treeIndex === null) return null
  const indexes = proofNodes(tree, rowCount, treeIndex)
  const nodeAt = await findNodes(database, { distribution }, indexes)
  return indexes.map((index) => hexOf(nodeAt(index)))
}

/** As of the last reading of the chain, and at least one. */
function confirmationsOf(
  { block_height: height }: EventRow,
  readHeight: bigint | null,
  required: number,
): number {
  const head = readHeight === null ? height : readHeight + BigInt(required) - 1n
  const count = Number(head - height) + 1
  return Math.min(Math.max(count, 1), required)
}
