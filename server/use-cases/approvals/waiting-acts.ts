import { createHash } from 'node:crypto'

import type { ApprovingPermission } from '#domain/operators/permissions.ts'

/**
 * The acts that may have to wait for a second person, by the name of their call, each with the
 * input that is kept to carry it out later. Besides what was sent, that includes what was true when
 * the act was requested, so that the act fails if that has changed.
 */
export type WaitingActs = {
  payRefund: { id: string; hash: string; amount: string; shared: boolean }
  approveRefundClaim: { id: string; amount: string; address: string }
  /** `claim_ids`: those approved at that time; `sha256`: of what is to be sent. */
  makeRefundBatch: {
    rail: string
    chain: string
    payment_token_id: string | null
    claim_ids: readonly string[]
    sha256: string
  }
  /** `usd`: what the purchase was worth at most, in dollars; `marked_date`: of the mark undone. */
  releasePurchase: { id: string; reason: string; usd: string; marked_date: string }
  /** `raised`: the dollars that are owed back. */
  closeSale: { reason: string; raised: string }
  /** `number`: of the snapshot; `tokens`: how many are owned, as a decimal. */
  freeze: { number: number; tokens: string }
  correctSnapshot: { number: number; tokens: string; reason: string }
  /**
   * `breaches`: the faults known at that time, as `check subject`; `paused_date`: since when it was
   * paused, if it was.
   */
  resumeSale: { force: true; breaches: readonly string[]; paused_date: string | null }
  /** The text of the file, its hash, what it was compared with, and what differs. */
  applySaleFile: { hash: string; applied_id: string; changes: readonly string[]; text: string }
  /** The file's hash, under which the file is kept, and what the file says. */
  sendSweep: {
    hash: string
    chain: string
    treasury: string
    transactions: number
    sums: readonly string[]
  }
  /** `former`: where the tokens of the user with this id went. */
  changeUserWallet: { id: string; address: string; reason: string; former: string | null }
  /** `root` and `amount`: of what is handed out, in base units of the token's contract. */
  publishDistribution: {
    id: string
    contract: string
    campaign: string | null
    from_block: string
    claim_url: string | null
    expires_date: string | null
    is_handed_out: boolean
    root: string | null
    amount: string
  }
  /** `contract`: the contract under which it is published; empty if it is not. */
  withdrawDistribution: { id: string; reason: string; contract: string }
  closeDistribution: { id: string; reason: string; contract: string; sends_nothing_more: boolean }
}
export type WaitingAct = keyof WaitingActs

export const permissionOf: Record<WaitingAct, ApprovingPermission> = {
  payRefund: 'refunds.pay',
  approveRefundClaim: 'refunds.approve',
  makeRefundBatch: 'refunds.pay',
  releasePurchase: 'purchases.release',
  closeSale: 'sale.close',
  freeze: 'allocations.freeze',
  correctSnapshot: 'allocations.freeze',
  resumeSale: 'sale.resume',
  applySaleFile: 'sale.apply',
  sendSweep: 'sweeps.manage',
  changeUserWallet: 'delivery.manage',
  publishDistribution: 'delivery.manage',
  withdrawDistribution: 'delivery.manage',
  closeDistribution: 'delivery.manage',
}

/**
 * These wait even when requested with the server's token, which does everything else at once: the
 * token alone must not send a buyer's tokens elsewhere.
 */
export const waitsForToken: ReadonlySet<WaitingAct> = new Set<WaitingAct>(['changeUserWallet'])

/** SHA-256 of an act and its input, whatever the order of its fields. */
export function hashOfAct(act: string, input: Readonly<Record<string, unknown>>): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify([act, inOrder(input)]))
    .digest()
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, field]) => [key, inOrder(field)])
}
