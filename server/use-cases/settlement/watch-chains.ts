import type { CryptoAmount } from '#domain/money.ts'
import { freshPrice } from '#domain/sale/fresh-price.ts'
import { paymentTokenOf } from '#domain/sale/sale.ts'
import { progressOf, saleStatus, stagePrice } from '#domain/sale/stage.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import {
  advanceChain,
  type ChainProgress,
  CLOCKS_APART_MAX_MS,
  findChain,
} from '#server/database/rails/chains.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { recordForeignTransfers } from '#server/database/purchases/foreign-transfers.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import {
  findPurchasesByAddress,
  requestExpiries,
  requestSettlements,
} from '#server/database/purchases/purchases.ts'
import {
  countConfirmations,
  isAnyConfirming,
  listUncounted,
  receiptIdOf,
  recordReceipts,
  type SeenReceipt,
} from '#server/database/purchases/receipts.ts'
import { recordUnmatched } from '#server/database/purchases/unmatched-transfers.ts'
import { recordMovements } from '#server/database/sweeps/movements.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import { NotYet } from '#domain/unavailable.ts'
import type { ChainReading, Rail, SightedTransfer } from '#server/ports/rail.ts'
import type { Services } from '#server/services.ts'
import { requireCurrentSale, SaleChanged } from '#server/use-cases/sale/require-current-sale.ts'
import { requiredConfirmations } from './required-confirmations.ts'
import { settleDue } from './settle-purchases.ts'

/**
 * Reads every chain once, records what has changed, and settles the purchases concerned. Safe to
 * run on several instances at once.
 */
export async function watchChains(services: Services): Promise<void> {
  await recordChains(services)
  await settleDue(services)
}

export type ChainWatch = {
  /** Starts to read each chain that is not being read, and settles what has been recorded. */
  step(services: Services): Promise<void>
  /** Waits for the readings that are under way. */
  stop(): Promise<void>
}

/**
 * Reads each chain independently, again and again: a slow chain delays no other, and what a reading
 * finds is settled as soon as it is recorded.
 */
export function createChainWatch(): ChainWatch {
  const underWay = new Map<string, Promise<void>>()

  async function readOne(services: Services, rail: Rail, chain: string): Promise<void> {
    const isNew = await recordChain(services, rail, chain)
    if (isNew) await settleDue(services)
  }

  return {
    async step(services) {
      for (const rail of services.rails.values()) {
        for (const chain of rail.chains) {
          if (underWay.has(chain)) continue
          const reading = readOne(services, rail, chain)
            .catch((error: unknown) =>
              services.log.error({ error, chain }, 'Payments on a chain could not be settled'),
            )
            .finally(() => underWay.delete(chain))
          underWay.set(chain, reading)
        }
      }
      await settleDue(services)
    },
    async stop() {
      await Promise.all(underWay.values())
    },
  }
}

/**
 * The first half: facts are stored, and nothing follows from them yet. A chain that does not answer
 * is tried again at the next call, and delays no other.
 */
export async function recordChains(services: Services): Promise<void> {
  const readings = [...services.rails.values()].flatMap((rail) =>
    rail.chains.map((chain) => recordChain(services, rail, chain)),
  )
  await Promise.all(readings)
}

/** Returns whether there is anything to settle because of it. */
async function recordChain(services: Services, rail: Rail, chain: string): Promise<boolean> {
  try {
    return await watchChain(services, rail, chain)
  } catch (error) {
    const { log } = services
    const isLater = error instanceof NotYet || error instanceof SaleChanged
    if (isLater) log.debug({ error, chain }, 'A chain is read a little later')
    else log.warn({ error, chain }, 'A chain could not be read. The server tries again soon')
    return false
  }
}

async function watchChain(services: Services, rail: Rail, chain: string): Promise<boolean> {
  const { database } = services
  const from = await findChain(database, chain)
  const isAwaited = from !== null && (await isAnyConfirming(database, chain))
  const reading = await rail.read(chain, from?.cursor ?? null, isAwaited)
  const readThrough = readThroughOf(reading, from, services.clock.now())
  const { cursor, height } = reading

  const isAnythingNew = await database.transaction().execute(async (transaction) => {
    const to = { cursor, height, readThrough }
    if (!(await advanceChain(transaction, chain, from, to))) return null
    // By an older sale file the reading lacks payments in new tokens, and a receipt would be given
    // a market that is over.
    await requireCurrentSale(services, transaction)
    const receipts = await findReceipts(services, transaction, { rail, chain, from, reading })
    const isHigher = height !== from?.height
    const grown = isHigher ? await listUncounted(transaction, chain, height) : []
    // Before the receipts: settling locks `settlements_due` first and the receipts next.
    await requestSettlements(transaction, [...receipts.map((each) => each.purchaseId), ...grown])
    await requestExpiries(transaction, chain, {
      from: from?.readThrough ?? null,
      to: readThrough,
    })
    await recordReceipts(transaction, receipts)
    if (reading.movements !== undefined) {
      await recordMovements(transaction, chain, reading.movements)
    }
    // Of these purchases only: another's receipt that was added meanwhile would never be settled.
    if (grown.length > 0) await countConfirmations(transaction, chain, height, grown)
    return receipts.length > 0 || grown.length > 0
  })
  if (isAnythingNew === null) return false
  reading.noteStored?.()
  return isAnythingNew
}

/**
 * Up to when a chain has been read: this never goes back, and never beyond the present, since a
 * purchase that it expires could still be paid. A value that a wrong clock stored in the future is
 * corrected.
 */
function readThroughOf(reading: ChainReading, from: ChainProgress | null, now: Date): Date {
  const read = reading.readThrough < now ? reading.readThrough : now
  if (from === null || read > from.readThrough) return read
  const isStoredWrong = from.readThrough.getTime() > now.getTime() + CLOCKS_APART_MAX_MS
  return isStoredWrong ? read : from.readThrough
}

type Read = { rail: Rail; chain: string; from: ChainProgress | null; reading: ChainReading }

/**
 * The transfers that reached a purchase's address. Transfers to another address of ours are kept
 * separately: they buy nothing, but the money is never forgotten.
 */
async function findReceipts(
  services: Services,
  transaction: DatabaseTransaction,
  { rail, chain, from, reading: { transfers, height } }: Read,
): Promise<SeenReceipt[]> {
  if (transfers.length === 0) return []
  const addresses = [...new Set(transfers.map(({ address }) => address))]
  const purchases = await findPurchasesByAddress(transaction, addresses)
  const now = services.clock.now()
  const marketOf = await currentMarket(services, transaction, now)
  const unmatched = transfers.filter(({ address }) => !purchases.has(address))
  // A buyer who paid in time must not lose out because the server was down.
  const seenAt = (sentAt: Date) => (sentAt < now ? sentAt : now)
  await recordUnmatched(
    transaction,
    unmatched.map((transfer) => ({
      ...transfer,
      chain,
      asset: transfer.foreign?.name ?? null,
      seenAt: seenAt(transfer.sentAt),
    })),
  )
  const seen = transfers.flatMap((transfer) => {
    const purchase = purchases.get(transfer.address)
    if (purchase === undefined) return []
    const market = marketOf(purchase.terms.paymentTokenId)
    const asset = transfer.foreign?.name ?? null
    const required = requiredConfirmations(rail, purchase, { chain, ...transfer })
    const receipt = seenReceipt(transfer, { purchase, height, required })
    const firstSeen = seenAt(sentAtOf(transfer, purchase, from))
    return [{ ...receipt, seenAt: firstSeen, chain, market, asset, purchase }]
  })
  const owed = await keepForeign(transaction, seen, now)
  return seen.flatMap((receipt) => {
    if (receipt.foreign?.token === undefined) return [receipt]
    const amount = owed.get(receiptIdOf(chain, receipt.transactionHash, receipt.index))
    return amount === undefined ? [] : [{ ...receipt, amount }]
  })
}

type SeenTransfer = SeenReceipt & Pick<SightedTransfer, 'foreign'> & { purchase: Purchase }

/**
 * Keeps transfers of tokens that the sale does not take separate from the receipts, and mails each
 * buyer at most once about them: a stranger can send as many as they like. Returns those that an
 * operator has taken up as a debt, with their amounts.
 */
async function keepForeign(
  transaction: DatabaseTransaction,
  seen: readonly SeenTransfer[],
  at: Date,
): Promise<ReadonlyMap<string, CryptoAmount>> {
  const transfers = seen.flatMap(({ foreign, ...transfer }) =>
    foreign?.token === undefined
      ? []
      : [{ ...transfer, asset: foreign.name, ...foreign.token, userId: transfer.purchase.userId }],
  )
  if (transfers.length === 0) return new Map()
  const held = transfers.filter(({ isHeld, isGone }) => isHeld === true && !isGone)
  for (const { purchaseId, userId } of new Map(
    held.map((each) => [each.purchaseId, each]),
  ).values()) {
    await enqueueMail(transaction, {
      userId,
      kind: 'purchase_foreign_transfer',
      params: { purchase_id: purchaseId },
      uniqueKey: `purchase_foreign_transfer:${purchaseId}`,
      at,
    })
  }
  return await recordForeignTransfers(transaction, transfers)
}

function seenReceipt(
  transfer: SightedTransfer,
  { purchase, height, required }: { purchase: Purchase; height: bigint; required: number },
): Omit<SeenReceipt, 'chain' | 'market' | 'asset' | 'seenAt'> & Pick<SightedTransfer, 'foreign'> {
  const { blockHeight, isGone } = transfer
  const depth = blockHeight === null ? 0 : Number(height - blockHeight + 1n)
  const counted = isGone ? 0 : (transfer.confirmations ?? depth)
  const confirmations = Math.min(Math.max(counted, 0), required)
  return {
    ...transfer,
    purchaseId: purchase.id,
    confirmations,
    requiredConfirmations: required,
  }
}

/**
 * When a transfer was sent, at the earliest: what waited for its block while nobody looked may have
 * come right after the last whole look.
 */
function sentAtOf(
  { sentAt, mayHaveWaited }: SightedTransfer,
  { terms: { createdAt } }: Purchase,
  from: ChainProgress | null,
): Date {
  if (mayHaveWaited !== true) return sentAt
  const unseenSince = from !== null && from.readThrough > createdAt ? from.readThrough : createdAt
  return unseenSince < sentAt ? unseenSince : sentAt
}

/** What is on sale and at which prices when a receipt is first seen, by payment token. */
async function currentMarket(
  { sale }: Services,
  transaction: DatabaseTransaction,
  now: Date,
): Promise<(paymentTokenId: string) => SeenReceipt['market']> {
  const market = await loadMarket(transaction)
  const status = saleStatus(sale, market.progress, market.halt, now)
  if (status.status !== 'ACTIVE') return () => null
  const { stage } = status
  const tokenPrice = stagePrice(stage, progressOf(market.progress, stage).sold)
  return (paymentTokenId) => {
    const paymentToken = paymentTokenOf(sale, paymentTokenId)
    const priced = paymentToken === undefined ? null : freshPrice(market.prices, paymentToken, now)
    return { stageId: stage.id, tokenPrice, cryptoPrice: priced?.price ?? null }
  }
}
