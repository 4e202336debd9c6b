import { isFresh, PRICE_AGE_MAX_MS } from '#domain/sale/price.ts'
import { paymentTokenOf } from '#domain/sale/sale.ts'
import { progressOf, saleStatus, stagePrice } from '#domain/sale/stage.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import { advanceChain, type ChainProgress, findChain } from '#server/database/rails/chains.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { findPurchasesByAddress } from '#server/database/purchases/purchases.ts'
import {
  countConfirmations,
  listUncounted,
  recordReceipts,
  type SeenReceipt,
} from '#server/database/purchases/receipts.ts'
import { requestExpiries, requestSettlements } from '#server/database/purchases/settlements-due.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import { NotYet } from '#domain/unavailable.ts'
import type { ChainReading, Rail, SightedTransfer } from '#server/ports/rail.ts'
import type { Services } from '#server/services.ts'
import { settleDue } from './settle-purchases.ts'

/**
 * Reads every chain once, records what has changed there, and settles the purchases concerned. Safe
 * to run at several instances at once.
 */
export async function watchChains(services: Services): Promise<void> {
  await recordChains(services)
  await settleDue(services)
}

/**
 * The first half: facts are stored, and nothing follows from them yet. A chain that does not answer
 * is tried again at the next call, and keeps no other waiting.
 */
export async function recordChains(services: Services): Promise<void> {
  const readings = [...services.rails.values()].flatMap((rail) =>
    rail.chains.map(async (chain) => {
      try {
        await watchChain(services, rail, chain)
      } catch (error) {
        const { log } = services
        if (error instanceof NotYet) log.debug({ error, chain }, 'A chain is read a little later')
        else log.warn({ error, chain }, 'A chain could not be read. It is tried again soon')
      }
    }),
  )
  await Promise.all(readings)
}

async function watchChain(services: Services, rail: Rail, chain: string): Promise<void> {
  const from = await findChain(services.database, chain)
  const reading = await rail.read(chain, from?.cursor ?? null)
  const readThrough = readThroughOf(reading, from, services.clock.now())
  const { cursor, height } = reading

  await services.database.transaction().execute(async (transaction) => {
    const to = { cursor, height, readThrough }
    if (!(await advanceChain(transaction, chain, from, to))) return
    const receipts = await findReceipts(services, transaction, chain, reading)
    const isHigher = height !== from?.height
    const grown = isHigher ? await listUncounted(transaction, chain, height) : []
    // Before the receipts: settling locks `settlements_due` first and the receipts next.
    await requestSettlements(transaction, [...receipts.map((each) => each.purchaseId), ...grown])
    await requestExpiries(transaction, chain, {
      from: from?.readThrough ?? null,
      to: readThrough,
    })
    await recordReceipts(transaction, receipts)
    if (isHigher) await countConfirmations(transaction, chain, height)
  })
}

/** How much two instances may differ in reading the database's clock. */
const CLOCKS_APART_MAX_MS = 60_000

/**
 * Up to when a chain has been read: it never goes back, and never beyond the present, since a
 * purchase that expires by it could still be paid. A value that a wrong clock stored in the future
 * is corrected.
 */
function readThroughOf(reading: ChainReading, from: ChainProgress | null, now: Date): Date {
  const read = reading.readThrough < now ? reading.readThrough : now
  if (from === null || read > from.readThrough) return read
  const isStoredWrong = from.readThrough.getTime() > now.getTime() + CLOCKS_APART_MAX_MS
  return isStoredWrong ? read : from.readThrough
}

/** The transfers that reached one of our addresses. */
async function findReceipts(
  services: Services,
  transaction: DatabaseTransaction,
  chain: string,
  { transfers, height }: ChainReading,
): Promise<SeenReceipt[]> {
  if (transfers.length === 0) return []
  const addresses = [...new Set(transfers.map(({ address }) => address))]
  const purchases = await findPurchasesByAddress(transaction, addresses)
  const now = services.clock.now()
  const marketOf = await currentMarket(services, transaction, now)
  return transfers.flatMap((transfer) => {
    const purchase = purchases.get(transfer.address)
    if (purchase === undefined) return []
    const market = marketOf(purchase.terms.paymentTokenId)
    return [{ ...seenReceipt(transfer, purchase, height, now), chain, market }]
  })
}

function seenReceipt(
  transfer: SightedTransfer,
  purchase: Purchase,
  height: bigint,
  now: Date,
): Omit<SeenReceipt, 'chain' | 'market'> {
  const { blockHeight, isGone } = transfer
  const depth = blockHeight === null ? 0 : Number(height - blockHeight + 1n)
  const counted = isGone ? 0 : (transfer.confirmations ?? depth)
  const confirmations = Math.min(Math.max(counted, 0), purchase.terms.requiredConfirmations)
  return {
    ...transfer,
    purchaseId: purchase.id,
    confirmations,
    requiredConfirmations: purchase.terms.requiredConfirmations,
    // A buyer who paid in time must not lose because the server was down.
    seenAt: transfer.sentAt < now ? transfer.sentAt : now,
  }
}

/** What is on sale at which prices as a receipt is first seen, by payment token. */
async function currentMarket(
  { sale }: Services,
  transaction: DatabaseTransaction,
  now: Date,
): Promise<(paymentTokenId: string) => SeenReceipt['market']> {
  const market = await loadMarket(transaction)
  const status = saleStatus(sale, market.progress, market.isPaused, now)
  if (status.status !== 'ACTIVE') return () => null
  const { stage } = status
  const tokenPrice = stagePrice(stage, progressOf(market.progress, stage).sold)
  return (paymentTokenId) => {
    const priced = market.prices.get(paymentTokenOf(sale, paymentTokenId)?.symbol ?? '')
    if (priced === undefined || !isFresh(priced.fetchedAt, now, PRICE_AGE_MAX_MS)) return null
    return { stageId: stage.id, tokenPrice, cryptoPrice: priced.price }
  }
}
