import { assetOf, settlementTransfers } from '#domain/settlement/ledger.ts'
import { subtract, type TokenAmount, tokenAmount } from '#domain/money.ts'
import { settlePurchase } from '#domain/settlement/settle.ts'
import { recordTransfers } from '#server/database/books/ledger.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import {
  listSettlements,
  lockPurchases,
  takeSettlements,
} from '#server/database/purchases/purchases.ts'
import {
  recordStatuses,
  saveSettledReceipts,
  saveSettlements,
  type SettledPurchase,
} from '#server/database/settlement/save-settlements.ts'
import {
  loadSettlements,
  type SettlementStart,
  startSettlements,
} from '#server/database/settlement/settlements.ts'
import { type LockedCounter, lockStageCounters } from '#server/database/sale/stage-counters.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { enqueuePurchaseMails } from './enqueue-purchase-mails.ts'
import { requireCurrentSale, SaleChanged } from '#server/use-cases/sale/require-current-sale.ts'
import { moveStages, markSoldOut } from '#server/use-cases/sale/move-stages.ts'
import { rewardReferrers } from './reward-referrers.ts'

/** Buyers wait for the same stage counter: this keeps their wait to tens of milliseconds. */
const BATCH_MAX = 100

/**
 * Settles every purchase that has new facts: derives its outcome and writes what follows from it,
 * all in one database transaction. Settling again changes nothing, so any number of instances may
 * do it at any time.
 */
export async function settleDue(services: Services): Promise<void> {
  try {
    let after: string | null = null
    let isAnyLeft = true
    while (isAnyLeft) {
      try {
        isAnyLeft = (await settleBatch(services, { after })) === BATCH_MAX
      } catch (error) {
        if (error instanceof SaleChanged) throw error
        services.log.warn({ error }, 'Purchases could not be settled together; now one by one')
        const ids: string[] = await listSettlements(services.database, BATCH_MAX, after)
        await settleEach(services, ids)
        after = ids.at(-1) ?? null
        isAnyLeft = after !== null
      }
    }
  } catch (error) {
    if (!(error instanceof SaleChanged)) throw error
    // The next step will do it, by the sale file that is applied then.
    await services.followSale()
  }
}

/** One purchase that cannot be settled must not hold up the others. */
async function settleEach(services: Services, ids: readonly string[]): Promise<void> {
  for (const purchaseId of ids) {
    try {
      await settleBatch(services, { onlyId: purchaseId })
    } catch (error) {
      if (error instanceof SaleChanged) throw error
      services.log.error({ error, purchaseId }, 'A purchase could not be settled')
    }
  }
}

/** Returns how many purchases were settled. */
async function settleBatch(
  services: Services,
  which: Parameters<typeof takeSettlements>[2],
): Promise<number> {
  const count = await services.database.transaction().execute(async (transaction) => {
    const ids = await takeSettlements(transaction, BATCH_MAX, which)
    if (ids.length > 0) await settle(services, transaction, ids)
    return ids.length
  })
  if (count > 0) services.market.invalidate()
  return count
}

async function settle(
  services: Services,
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<void> {
  const loaded = await loadSettlements(transaction, await lockPurchases(transaction, ids))
  await saveSettledReceipts(transaction, loaded)
  // From here to the end, buyers wait.
  const counters = await lockStageCounters(transaction)
  // Not before, or the prices of two settlements could be in the wrong order on the chart.
  const now = services.clock.now()
  // Applying a sale file locks the counters too, so this holds until the end.
  await requireCurrentSale(services, transaction)
  const starts = await startSettlements(transaction, loaded)
  const moving = new Map(counters)
  const settled = starts.map((start) => settleOne(start, moving, now))
  const progress = markSoldOut(services, moving, now)
  const changed = settled.filter(
    ({ purchase, outcome }) =>
      purchase.outcome.status !== outcome.status || purchase.outcome.reason !== outcome.reason,
  )

  await saveSettlements(transaction, settled, now)
  const historyIds = await recordStatuses(transaction, changed, now)
  await enqueuePurchaseMails(transaction, settled, historyIds, now)
  // Before the ledger's rows refer to the buyers: whoever erases one waits for such rows, and this
  // waits for the erasure.
  const rewarded = await rewardReferrers(services, transaction, settled, progress, now)
  await recordTransfers(transaction, settled.flatMap(ledgerEntries), now)
  const isAnySold = await moveStages(services, transaction, counters, progress, now)
  await notifyLive(transaction, [
    ...settled.map(({ purchase }) => ({
      kind: 'purchase' as const,
      userId: purchase.userId,
      transactionId: purchase.id,
    })),
    ...rewarded,
    ...(isAnySold ? [{ kind: 'stage' as const }] : []),
  ])
}

/** Derives one outcome, and counts in `progress` what it takes from the stages and gives back. */
function settleOne(
  start: SettlementStart,
  progress: Map<string, LockedCounter>,
  now: Date,
): SettledPurchase {
  const { purchase, facts, booked } = start
  const outcome = settlePurchase(facts, (stageId) => roomOf(progress.get(stageId)))
  move(progress, purchase.terms.stageId, { reserved: outcome.reserved - booked.reserved })
  for (const { stageId, tokens } of outcome.allocations) move(progress, stageId, { sold: tokens })
  for (const { stageId, tokens } of booked.allocations) move(progress, stageId, { sold: -tokens })
  const completedAt = outcome.status === 'completed' ? (purchase.completedAt ?? now) : null
  return { ...start, outcome, completedAt }
}

function roomOf(counter: LockedCounter | undefined): TokenAmount {
  if (counter === undefined) return tokenAmount(0n)
  return subtract(counter.supply, tokenAmount(counter.reserved + counter.sold))
}

function move(
  progress: Map<string, LockedCounter>,
  stageId: string,
  by: { reserved?: bigint; sold?: bigint },
): void {
  const counter = progress.get(stageId)
  if (counter === undefined) return
  progress.set(stageId, {
    ...counter,
    reserved: tokenAmount(counter.reserved + (by.reserved ?? 0n)),
    sold: tokenAmount(counter.sold + (by.sold ?? 0n)),
  })
}

function ledgerEntries({ purchase, receipts, booked, outcome, paidBack }: SettledPurchase) {
  const userId = purchase.userId
  const assets = new Map(receipts.map((receipt) => [receipt.id, assetOf(receipt)]))
  const transfers = settlementTransfers({
    userId,
    stageId: purchase.terms.stageId,
    before: booked,
    after: outcome,
    assetOf: (receiptId) => assets.get(receiptId) ?? '',
    paidBackOf: (receiptId) => paidBack.get(receiptId) ?? 0n,
  })
  return transfers.map((transfer) => ({ ...transfer, causeId: purchase.id, userId }))
}
