import { type RowSight, rowState, sumOf, tokensArrived } from '#domain/delivery/delivery-state.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import type { DeliveryState } from '#domain/delivery/distribution.ts'
import {
  findOwned,
  listPartEvents,
  listParts,
  type PartRow,
} from '#server/database/delivery/delivered-parts.ts'
import type { EventRow } from '#server/database/delivery/distribution-events.ts'
import {
  findWallets,
  listWalletRecords,
  type WalletRow,
} from '#server/database/delivery/wallets.ts'
import type { Services } from '#server/services.ts'
import { proofOfRow } from '#server/use-cases/distributions/proof-of-row.ts'

/** How a user's tokens come to them. */
export type OwnDeliveries = {
  /** What no distribution has handed out yet; null where that is nothing. */
  waiting: WaitingTokens | null
  /** The newest first. */
  parts: readonly DeliveredPart[]
}

export type WaitingTokens = {
  state: Extract<DeliveryState, 'unassigned' | 'assigned'>
  tokens: bigint
  /** The wallet that they are to go to. */
  address: string | null
  /** Whether the books are closed: the amount is final, and the wallet the one of then. */
  isFrozen: boolean
}

export type DeliveredPart = {
  distributionId: bigint
  state: DeliveryState
  /** Whether nothing can happen with the distribution any more. */
  hasEnded: boolean
  tool: PartRow['tool']
  /** In base units of the sale. */
  tokens: bigint
  /** Of the row, which other accounts with the same wallet may share: base units of the token. */
  amount: bigint
  arrived: bigint
  decimals: number
  address: string
  chainId: number
  token: string
  /** Whether it has to be fetched, rather than being sent. */
  isToClaim: boolean
  contract: string | null
  claimUrl: string | null
  expiresAt: Date | null
  place: number
  /** By which a wallet can claim it; null where that is not how, or it is done. */
  proof: readonly string[] | null
  transfers: readonly DeliveryTransfer[]
}

export type DeliveryTransfer = {
  hash: string
  explorerUrl: string | null
  /** Where the tokens went: another address where whoever claimed has named one. */
  receiver: string
  at: Date
  confirmations: number
  requiredConfirmations: number
}

/** What of a user's tokens was handed out and what has become of it; empty without `delivery`. */
export async function listOwnDeliveries(
  services: Services,
  userId: string,
): Promise<OwnDeliveries> {
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

/** Whether the row is the user's alone, or its wallet was shown to be theirs. */
function isProved(wallets: readonly WalletRow[], part: PartRow): boolean {
  if (part.row_tokens === part.tokens) return true
  return wallets.some(
    ({ address, proof }) =>
      proof !== 'none' && address.toLowerCase() === part.address.toLowerCase(),
  )
}

/** Who has pasted the wallet of somebody else must not learn what that one is given. */
function ownShare(whole: DeliveredPart, { tokens, row_tokens: all }: PartRow): DeliveredPart {
  const share = (amount: bigint) => (amount * tokens) / all
  return { ...whole, amount: share(whole.amount), arrived: share(whole.arrived), proof: null }
}

async function findWaiting(
  services: Services,
  userId: string,
  parts: readonly DeliveredPart[],
): Promise<WaitingTokens | null> {
  const { database, clock } = services
  const owned = await findOwned(database, userId)
  const total = owned?.tokens ?? (await services.readAccount(userId))?.balances.total ?? 0n
  // What a distribution that has ended did not hand out is due again.
  const given = parts.map((part) =>
    part.hasEnded ? tokensArrived(part.tool, part, part.arrived) : part.tokens,
  )
  const tokens = given.reduce((rest, each) => rest - each, total)
  if (tokens <= 0n) return null
  const { current } = await findWallets(database, userId, clock.now())
  const address = owned?.address ?? current?.address ?? null
  const state = address === null ? 'unassigned' : 'assigned'
  return { state, tokens, address, isFrozen: owned !== null }
}

async function partOf(
  services: Services,
  part: PartRow,
  events: readonly EventRow[],
): Promise<DeliveredPart> {
  const chain = services.deliveryChains.get(Number(part.chain_id))
  const required = chain?.confirmations ?? 1
  const { read_height: readHeight } = part
  const isDeep = ({ block_height: height }: EventRow) => readHeight !== null && height <= readHeight
  const seen = events.map((event): RowSight => ({ ...event, isDeep: isDeep(event) }))
  const state = rowState(part.tool, part.amount, seen, part.is_swept)
  return {
    distributionId: part.distribution_id,
    state,
    hasEnded: part.state !== 'published',
    tool: part.tool,
    tokens: part.tokens,
    amount: part.amount,
    arrived: sumOf(seen),
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

/** Of contracts whose claims need nothing but a row and its proof; the others have their pages. */
async function proofOf({ database }: Services, part: PartRow): Promise<readonly string[] | null> {
  const { distribution_id: id, tool, row_count, tree_index: treeIndex } = part
  if (tool !== 'uniswap' && tool !== 'openzeppelin') return null
  return await proofOfRow(database, { id, tool, row_count }, treeIndex)
}

/** As many as there were when the chain was read; one where it was not read so far for good. */
function confirmationsOf(
  { block_height: height }: EventRow,
  readHeight: bigint | null,
  required: number,
): number {
  const head = readHeight === null ? height : readHeight + BigInt(required) - 1n
  const count = Number(head - height) + 1
  return Math.min(Math.max(count, 1), required)
}
