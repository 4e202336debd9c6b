import type { CryptoAmount, TokenAmount } from '#domain/money.ts'
import type { PurchaseOutcome } from './outcome.ts'
import {
  type GatewayName,
  gatewayNames,
  paymentTokenOf,
  type Sale,
  type Stage,
} from '#domain/sale/sale.ts'

/**
 * Every movement of tokens and of money is a transfer from one account to another, so the accounts
 * always balance. Nothing is ever changed: what is undone is a transfer back.
 */
export type LedgerTransfer = {
  source: string
  destination: string
  /** `token`, the id of a payment token, or a rail's name for an asset that is not accepted. */
  asset: string
  /** In base units of the asset; always positive. */
  amount: bigint
}

export const TOKEN_ASSET = 'token'
/**
 * No payment token may have one of these as its id: its money would be mistaken for another
 * asset's.
 */
export const RESERVED_ASSETS: readonly string[] = [TOKEN_ASSET]

/**
 * The asset of a receipt: the id of its payment token, or the chain or gateway with its name for
 * the asset, such as `eip155:56/native`. No payment token's id contains a slash.
 */
export function assetOf(receipt: {
  paymentTokenId: string | null
  chain: string
  asset: string | null
}): string {
  const { paymentTokenId, chain, asset } = receipt
  return paymentTokenId ?? `${chain}/${asset ?? 'unknown'}`
}

/** A gateway states decimals of any coin: of one that the sale does not take, so many are kept. */
export const GATEWAY_COIN_DECIMALS = 18

/**
 * The gateway and its code for a coin that the sale does not take, of an asset's name in the
 * ledger; null for any other asset.
 */
export function gatewayCoinOf(asset: string): { gateway: GatewayName; code: string } | null {
  const gateway = gatewayNames.find((name) => asset.startsWith(`${name}/`))
  return gateway === undefined ? null : { gateway, code: asset.slice(gateway.length + 1) }
}

/** An asset that the sale does not take is in base units, unless a gateway has read it. */
export function assetDecimals(sale: Pick<Sale, 'paymentTokens'>, asset: string | null): number {
  const known = paymentTokenOf(sale, asset)
  if (known !== undefined) return known.decimals
  return asset !== null && gatewayCoinOf(asset) !== null ? GATEWAY_COIN_DECIMALS : 0
}

/** The source of all stages' tokens and of referral rewards; its balance is negative. */
export const SUPPLY_ACCOUNT = 'sale:supply'

export const availableAccount = (stageId: string) => `stage:${stageId}:available`
export const reservedAccount = (stageId: string) => `stage:${stageId}:reserved`
export const userAccount = (userId: string) => `user:${userId}`
/** The outside world: minus everything received in an asset. */
export const chainAccount = (asset: string) => `chain:${asset}`
/** Money that is here and is not owed back. */
export const receivedAccount = (asset: string) => `received:${asset}`
/** Money that is owed back to buyers. */
export const refundsAccount = (asset: string) => `refunds:${asset}`
/** Money owed back in claims that an operator has approved: nothing else changes it. */
const promisedAccount = (asset: string) => `promised:${asset}`
/** What was withheld for the networks from the money that was claimed. */
const refundFeesAccount = (asset: string) => `refund_fees:${asset}`
/** Money that was paid back. */
const paidOutAccount = (asset: string) => `paid_out:${asset}`
/**
 * What was paid back for receipts that are gone by now; its balance is the sale's loss, as a
 * negative figure.
 */
const uncoveredAccount = (asset: string) => `uncovered:${asset}`

export function openingTransfers({ id, supply }: Pick<Stage, 'id' | 'supply'>): LedgerTransfer[] {
  return move(TOKEN_ASSET, SUPPLY_ACCOUNT, availableAccount(id), supply)
}

export function reservationTransfers(stageId: string, tokens: TokenAmount): LedgerTransfer[] {
  return move(TOKEN_ASSET, availableAccount(stageId), reservedAccount(stageId), tokens)
}

/** Credits a referral reward, or takes it back where `tokens` is negative. */
export function rewardTransfers(userId: string, tokens: bigint): LedgerTransfer[] {
  return move(TOKEN_ASSET, SUPPLY_ACCOUNT, userAccount(userId), tokens)
}

/** Money that was owed is paid back. */
export function refundPaidTransfers(asset: string, amount: CryptoAmount): LedgerTransfer[] {
  return move(asset, refundsAccount(asset), paidOutAccount(asset), amount)
}

/** Money that was owed is promised to a claim. */
export function promiseTransfers(asset: string, amount: CryptoAmount): LedgerTransfer[] {
  return move(asset, refundsAccount(asset), promisedAccount(asset), amount)
}

/**
 * A promise is withdrawn, and the money is owed as before.
 * @param uncovered How much of it the ledger counts as lost, because its receipt is gone by now.
 */
export function releaseTransfers(
  asset: string,
  amount: CryptoAmount,
  uncovered: bigint,
): LedgerTransfer[] {
  return [
    ...move(asset, promisedAccount(asset), refundsAccount(asset), amount),
    ...move(asset, receivedAccount(asset), uncoveredAccount(asset), uncovered),
  ]
}

/** A promise is kept: the claim is paid, less what is withheld for the network. */
export function claimPaidTransfers(
  asset: string,
  amount: CryptoAmount,
  fee: CryptoAmount,
): LedgerTransfer[] {
  return [
    ...move(asset, promisedAccount(asset), paidOutAccount(asset), amount - fee),
    ...move(asset, promisedAccount(asset), refundFeesAccount(asset), fee),
  ]
}

/** What the ledger holds for a purchase. */
export type BookedPurchase = Pick<
  PurchaseOutcome,
  'reserved' | 'allocations' | 'booked' | 'refunds'
>

/**
 * The transfers that lead from what the ledger holds for a purchase to what it should hold: only
 * the difference, so settling twice moves nothing.
 * @param change.assetOf The asset of a receipt; that of the purchase unless the wrong one arrived.
 * @param change.paidBackOf What was paid back of a receipt; nothing if left out.
 */
export function settlementTransfers(change: {
  userId: string
  stageId: string
  before: BookedPurchase
  after: BookedPurchase
  assetOf: (receiptId: string) => string
  paidBackOf?: (receiptId: string) => bigint
}): LedgerTransfer[] {
  const { userId, stageId, before, after, assetOf, paidBackOf = () => 0n } = change
  const [bookedOnce, booked] = [amountsOf(before.booked), amountsOf(after.booked)]
  const [owedOnce, owedNow] = [amountsOf(before.refunds), amountsOf(after.refunds)]
  const money = receiptIds(before, after).flatMap((receiptId) => {
    const asset = assetOf(receiptId)
    const received = receivedAccount(asset)
    const [now, once] = [booked.get(receiptId) ?? 0n, bookedOnce.get(receiptId) ?? 0n]
    const paidBack = paidBackOf(receiptId)
    const uncovered = excess(paidBack, now) - excess(paidBack, once)
    const owed = (owedNow.get(receiptId) ?? 0n) - (owedOnce.get(receiptId) ?? 0n)
    return [
      ...move(asset, uncoveredAccount(asset), received, uncovered),
      ...move(asset, chainAccount(asset), received, now - once),
      ...move(asset, received, refundsAccount(asset), owed),
    ]
  })
  return [...tokenTransfers(userId, stageId, before, after), ...money]
}

/** The part of {@link settlementTransfers} that moves tokens. */
function tokenTransfers(
  userId: string,
  stageId: string,
  before: Pick<BookedPurchase, 'reserved' | 'allocations'>,
  after: Pick<BookedPurchase, 'reserved' | 'allocations'>,
): LedgerTransfer[] {
  const stageIds = [stageId, ...[...before.allocations, ...after.allocations].map((a) => a.stageId)]
  return [...new Set(stageIds)].flatMap((id) => {
    const reserved = id === stageId ? after.reserved - before.reserved : 0n
    const allocated = tokensOf(after.allocations, id) - tokensOf(before.allocations, id)
    const direct = directly(reserved, allocated)
    const [available, held] = [availableAccount(id), reservedAccount(id)]
    return [
      ...move(TOKEN_ASSET, held, userAccount(userId), direct),
      ...move(TOKEN_ASSET, available, held, reserved + direct),
      ...move(TOKEN_ASSET, available, userAccount(userId), allocated - direct),
    ]
  })
}

/** One transfer: reversed if the amount is negative, none if it is zero. */
function move(asset: string, from: string, to: string, amount: bigint): LedgerTransfer[] {
  if (amount === 0n) return []
  return amount > 0n
    ? [{ source: from, destination: to, asset, amount }]
    : [{ source: to, destination: from, asset, amount: -amount }]
}

function excess(amount: bigint, beyond: bigint): bigint {
  return amount > beyond ? amount - beyond : 0n
}

/** How many tokens go from reserved to the buyer, or back, without being available in between. */
function directly(reserved: bigint, allocated: bigint): bigint {
  if (reserved < 0n && allocated > 0n) return -reserved < allocated ? -reserved : allocated
  if (reserved > 0n && allocated < 0n) return reserved < -allocated ? -reserved : allocated
  return 0n
}

function receiptIds(before: BookedPurchase, after: BookedPurchase): string[] {
  const all = [before.booked, before.refunds, after.booked, after.refunds].flat()
  return [...new Set(all.map(({ receiptId }) => receiptId))].toSorted()
}

/** By receipt, of which a purchase may have ten thousand. */
function amountsOf(
  entries: readonly { receiptId: string; amount: bigint }[],
): ReadonlyMap<string, bigint> {
  return new Map(entries.map(({ receiptId, amount }) => [receiptId, amount]))
}

function tokensOf(allocations: BookedPurchase['allocations'], stageId: string): bigint {
  return allocations.find((allocation) => allocation.stageId === stageId)?.tokens ?? 0n
}
