import {
  formatDecimal,
  groupThousands,
  parseDecimal,
  type Usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import { purchaseNumbers } from '#domain/settlement/purchase-number.ts'
import { saleStatus } from '#domain/sale/stage.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import {
  listSettlements,
  lockPurchases,
  requestSettlements,
} from '#server/database/purchases/purchases.ts'
import {
  listUndecided,
  listUnreversed,
  reverseForSoftCap,
} from '#server/database/purchases/reversals.ts'
import { countRefundMarks } from '#server/database/delivery/undecided.ts'
import { findLastSnapshot } from '#server/database/delivery/snapshots.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { lockPause } from '#server/database/sale/sale-pause.ts'
import { lockStageCounters } from '#server/database/sale/stage-counters.ts'
import { findClosedAt, markSaleClosed, sumRaised } from '#server/database/sale/soft-cap.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  actOrWait,
  requireAppliedSale,
  requireApproval,
} from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { getSaleState, type SaleState } from '#server/use-cases/operations/get-sale-state.ts'
import { usdText } from '#server/use-cases/sale/amount-texts.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'

type Closing = { reason: string; raised?: string | undefined }

/**
 * Closes a sale that has ended below its soft cap, for good: everything that was paid is owed back,
 * which {@link undoClosedSale} does purchase by purchase. It always waits for a second person:
 * throws `WaitsForApproval`. Closing again changes nothing. Refuses with `SaleNotClosable`, and
 * with `ApprovalChanged` if the sum raised differs from `raised`, the dollars that were approved,
 * and with `Unavailable` while purchases have changes that are not settled, or where this instance
 * has an older sale file than the applied one.
 */
export async function closeSale(
  services: Services,
  { reason, raised: approved }: Closing,
  operator: Operator,
): Promise<SaleState> {
  await settleDue(services)
  await actOrWait(services, operator, async (transaction) => {
    // In everybody's order: nobody can buy, resume, close or settle meanwhile.
    await lockPause(transaction)
    await lockStageCounters(transaction)
    // Also what was approved is judged by the stages and the soft cap of the applied file.
    await requireAppliedSale(services, transaction)
    if ((await findClosedAt(transaction)) !== null) return null
    const raised = await requireClosable(services, transaction)
    if (approved !== undefined && parseDecimal(approved, USD_DECIMALS) !== raised) {
      throw new Refusal('ApprovalChanged', {
        message: `${usdText(raised)} has been raised by now, not $${groupThousands(approved)}`,
      })
    }
    const usd = formatDecimal(raised, USD_DECIMALS)
    const waits = await requireApproval(services, transaction, operator, {
      act: 'closeSale',
      input: { reason, raised: usd },
      summary: 'Close the sale below its soft cap: everything that was paid is owed back',
      about: null,
      usd: raised,
    })
    if (waits !== null) return waits
    await markSaleClosed(transaction, services.clock.now())
    const action = { act: 'closeSale' as const, details: { reason, usd } }
    await recordAction(services, transaction, operator, action)
    await notifyLive(transaction, [{ kind: 'stage' }])
    return null
  })
  services.market.invalidate()
  return await getSaleState(services)
}

/** Returns what was raised. */
async function requireClosable(
  { sale, clock }: Services,
  transaction: DatabaseTransaction,
): Promise<Usd> {
  const refuse = (message: string) => new Refusal('SaleNotClosable', { message })
  if (sale.softCap === null) throw refuse('The sale file names no soft cap')
  const snapshot = await findLastSnapshot(transaction)
  if (snapshot !== null) {
    throw refuse(
      `Snapshot ${snapshot.number} says who owns the tokens, which may have been handed out: not ` +
        'everything can be undone any more. Fail the purchases that are to be paid back, and ' +
        'correct the snapshot',
    )
  }
  const { progress } = await loadMarket(transaction)
  if (saleStatus(sale, progress, null, clock.now()).status !== 'ENDED') {
    throw refuse('The sale has not ended. It can be closed once all its stages are over')
  }
  // Before the settlements that are due: a payment that is confirmed in between, or a mark that is
  // refused, is then one of those, which nobody can settle meanwhile.
  const undecided = await listUndecided(transaction, UNDECIDED_NAMED_MAX)
  const marks = await countRefundMarks(transaction)
  // They may be worth more by now than the sum below says.
  if ((await listSettlements(transaction, 1)).length > 0) {
    throw new Refusal('Unavailable', {
      message: 'Purchases have changes that are not settled yet. Try again in a minute',
    })
  }
  const raised = await sumRaised(transaction)
  if (raised >= sale.softCap) {
    throw refuse(`The soft cap of ${usdText(sale.softCap)} is reached: ${usdText(raised)}`)
  }
  if (marks > 0) {
    throw refuse(
      (marks === 1
        ? 'One refund that was marked as paid waits'
        : `${marks} refunds that were marked as paid wait`) +
        ' for a second person: refused, the money may count. Have that approved or refused',
    )
  }
  if (undecided.count === 0) return raised
  throw refuse(
    (undecided.count === 1
      ? 'One purchase still waits for its payment or confirmations'
      : `${undecided.count} purchases still wait for payments or confirmations`) +
      `: ${purchaseNumbers(undecided.ids, undecided.count)}. Wait until they are decided. If no ` +
      'block takes a payment, hold its purchase: it is undone with the others once the sale is closed',
  )
}

/** A refusal names this many purchases. */
const UNDECIDED_NAMED_MAX = 5

const BATCH_MAX = 200

/**
 * Undoes what a closed sale still owes back, in batches, including purchases that are completed or
 * held later. Safe to repeat, and to run on several instances at once. Does nothing while the sale
 * is not closed.
 */
export async function undoClosedSale(services: Services): Promise<void> {
  const { database } = services
  const closedAt = await findClosedAt(database)
  if (closedAt === null) return
  for (;;) {
    const ids = await listUnreversed(database, BATCH_MAX)
    if (ids.length === 0) return
    await database.transaction().execute(async (transaction) => {
      // `settlements_due` before the purchases: settling locks them in this order.
      await requestSettlements(transaction, ids)
      await lockPurchases(transaction, ids)
      await reverseForSoftCap(transaction, ids, closedAt)
    })
    await settleDue(services)
  }
}
