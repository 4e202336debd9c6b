import type { OperatorMark } from '#domain/settlement/facts.ts'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import { invariant } from '#domain/invariant.ts'
import {
  formatDecimal,
  formatGrouped,
  groupThousands,
  parseDecimal,
  type Usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import { valueOfPurchase } from '#domain/settlement/stake.ts'
import { insertMark, listMarksOf } from '#server/database/settlement/settlements.ts'
import {
  findPurchase,
  lockPurchases,
  requestSettlements,
} from '#server/database/purchases/purchases.ts'
import { listReceipts } from '#server/database/purchases/receipts.ts'
import type { Services } from '#server/services.ts'
import { type PurchaseRecord, readPurchaseRecord } from './get-purchase-record.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { noSuchPurchase } from '#server/use-cases/access/no-such-purchase.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait, requireApproval } from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'

const acts = {
  held: 'holdPurchase',
  released: 'releasePurchase',
  failed: 'failPurchase',
} as const satisfies Record<OperatorMark['kind'], string>

type Marking = {
  id: string
  kind: OperatorMark['kind']
  reason: string
  seen?: Seen
  /** The dollars that were approved at most, and when the mark that is undone was made. */
  approved?: { usdMax: string; markedAt: string }
}

/** What the operator's screen shows; whatever is left out is not compared. */
type Seen = {
  status?: PurchaseStatus | undefined
  /** When the last mark was made; null if there is none. */
  markedAt?: Date | null | undefined
}

/**
 * Records an operator's mark on a purchase and settles it. Repeating the last mark changes nothing;
 * with another reason it is a new one, and what was asked for before it was known does not undo it.
 * Releasing a purchase that is worth more than the sale file's limit waits for a second person:
 * throws `WaitsForApproval`. Refuses with `NotFound`; with `NotMarked` if there is nothing to
 * release; with `PurchaseChanged` if it has another status or mark than was seen; and with
 * `ApprovalChanged` if it is worth more than was approved, or marked again since.
 */
export async function markPurchase(
  services: Services,
  { id, kind, reason, seen = {}, approved }: Marking,
  operator: Operator,
): Promise<PurchaseRecord> {
  const { database, clock } = services
  if (!isId(id) || (await findPurchase(database, id)) === null) {
    throw noSuchPurchase(id)
  }
  await actOrWait(services, operator, async (transaction) => {
    // `settlements_due` before the purchase: settling locks them in this order.
    await requestSettlements(transaction, [id])
    const [purchase] = await lockPurchases(transaction, [id])
    const last = (await listMarksOf(transaction, id)).at(-1)
    if (last?.kind === kind && last.reason === reason && kind !== 'released') return null
    invariant(purchase !== undefined, 'Purchases are never deleted.')
    requireSeen(seen, purchase.outcome.status, last)
    if (kind === 'released') {
      if (last === undefined || last.kind === 'released') throw new Refusal('NotMarked')
      const receipts = (await listReceipts(transaction, [id])).get(id) ?? []
      const value = valueOfPurchase(purchase.terms, receipts)
      const markedAt = last.at.toISOString()
      if (approved !== undefined) requireSame({ value, kind: last.kind, markedAt }, approved)
      const usd = formatDecimal(value, USD_DECIMALS)
      if (value > services.sale.approvals.releaseOver) {
        const waits = await requireApproval(services, transaction, operator, {
          act: 'releasePurchase',
          input: { id, reason, usd, marked_date: markedAt },
          summary: `Release a purchase that was ${last.kind}`,
          about: id,
          purchaseId: id,
          usd: value,
        })
        if (waits !== null) return waits
      }
    }
    // The newest mark counts, so this one must be newer than the last even if the clock went back.
    const at = new Date(Math.max(clock.now().getTime(), (last?.at.getTime() ?? 0) + 1))
    await insertMark(transaction, id, { kind, at, reason })
    const action = { act: acts[kind], purchaseId: id, details: { reason } }
    await recordAction(services, transaction, operator, action)
    return null
  })
  await settleDue(services)
  return await readPurchaseRecord(services, id)
}

/** Whoever decides by what they saw does not undo what somebody else has decided since. */
function requireSeen(seen: Seen, status: PurchaseStatus, last: OperatorMark | undefined): void {
  if (seen.markedAt !== undefined && seen.markedAt?.getTime() !== last?.at.getTime()) {
    const what = last === undefined ? 'is not marked' : `was ${last.kind} since you looked`
    throw new Refusal('PurchaseChanged', { message: `The purchase ${what}. Look at it again` })
  }
  if (seen.status === undefined || seen.status === status) return
  const message = `The purchase is ${status} by now, and no longer ${seen.status}. Look at it again`
  throw new Refusal('PurchaseChanged', { message })
}

/** Since a second person approved, more money may have come, or somebody decided otherwise. */
function requireSame(
  { value, kind, markedAt }: { value: Usd; kind: string; markedAt: string },
  approved: { usdMax: string; markedAt: string },
): void {
  const { usdMax } = approved
  if (markedAt !== approved.markedAt) {
    const message = `The purchase was marked again since: it is ${kind} now`
    throw new Refusal('ApprovalChanged', { message })
  }
  if (value <= (parseDecimal(usdMax, USD_DECIMALS) ?? 0n)) return
  throw new Refusal('ApprovalChanged', {
    message: `The purchase is now worth $${formatGrouped(value, USD_DECIMALS)}, not $${groupThousands(usdMax)}`,
  })
}
