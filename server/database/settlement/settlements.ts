import { sql } from 'kysely'
import type { BookedPurchase } from '#domain/settlement/ledger.ts'
import { invariant } from '#domain/invariant.ts'
import { type CryptoAmount, cryptoAmount, parseDecimal } from '#domain/money.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import type { OperatorMark, PurchaseFacts } from '#domain/settlement/facts.ts'
import type { Grant, RefundDue } from '#domain/settlement/outcome.ts'
import { listProgress } from '#server/database/rails/chains.ts'
import { listKnownThrough } from '#server/database/rails/gateway-record.ts'
import { type BeingSent, listBeingSent, sumPaidBack } from './refund-payments.ts'
import { isOnTime } from '#domain/settlement/valuation.ts'
import { listReceipts, type Receipt } from '#server/database/purchases/receipts.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/** Everything that settling a purchase starts from. */
export type SettlementStart = {
  purchase: Purchase
  receipts: readonly Receipt[]
  facts: PurchaseFacts
  /** What the ledger holds of it. */
  booked: BookedPurchase
  /** What was paid back of its receipts, by receipt. */
  paidBack: ReadonlyMap<string, CryptoAmount>
}

/** The part of a start that is known before the stage counters are locked. */
export type LoadedSettlement = Omit<SettlementStart, 'facts'> & {
  facts: Omit<PurchaseFacts, 'isFirstPurchaseBonusLost'>
}

/**
 * Loads what is known of locked purchases whose settlements were taken: until these end, new facts
 * about them have to wait. So this need not happen while buyers wait for the counters.
 */
export async function loadSettlements(
  transaction: DatabaseTransaction,
  purchases: readonly Purchase[],
): Promise<LoadedSettlement[]> {
  const ids = purchases.map(({ id }) => id)
  const receipts = await listReceipts(transaction, ids)
  const grants = await listGrants(transaction, ids)
  const refunds = await listRefunds(transaction, ids)
  const paidBack = await sumPaidBack(transaction, ids)
  const beingSent = await listBeingSent(transaction, ids)
  const marks = await listMarks(transaction, ids)
  const progress = await listProgress(transaction)
  const knownThrough = await listKnownThrough(transaction, ids)

  return purchases.map((purchase) => {
    const own = receipts.get(purchase.id) ?? []
    return {
      purchase,
      receipts: own,
      facts: {
        terms: purchase.terms,
        receipts: own.map((receipt) => {
          const isRightAsset = receipt.paymentTokenId === purchase.terms.paymentTokenId
          const sent = isRightAsset ? beingSent.get(receipt.id) : undefined
          return {
            ...receipt,
            isRightAsset,
            paidBack: paidBack.get(receipt.id) ?? NOTHING,
            ...(sent !== undefined && { beingSent: readSent(sent, purchase, receipt) }),
          }
        }),
        grants: grants.get(purchase.id) ?? [],
        reservationLeft: purchase.outcome.reservationLeft,
        marks: marks.get(purchase.id) ?? [],
        reversal: purchase.reversal,
        hasGatewayFailed: purchase.hasGatewayFailed,
        // A gateway has no blocks: each payment is known up to when it was asked about it.
        chainReadThrough:
          knownThrough.get(purchase.id) ??
          (knownThrough.has(purchase.id)
            ? null
            : (progress.get(purchase.chain)?.readThrough ?? null)),
      },
      booked: {
        reserved: purchase.outcome.reserved,
        allocations: purchase.outcome.allocations,
        booked: own.map(({ id, booked }) => ({ receiptId: id, amount: booked })),
        refunds: refunds.get(purchase.id) ?? [],
      },
      paidBack,
    }
  })
}

/**
 * Adds what the booking of another purchase may have changed: which one is its buyer's first. Call
 * it once the stage counters are locked, as bookings lock them.
 */
export async function startSettlements(
  transaction: DatabaseTransaction,
  loaded: readonly LoadedSettlement[],
): Promise<SettlementStart[]> {
  const userIds = loaded.map(({ purchase }) => purchase.userId)
  const rows = await transaction
    .selectFrom('first_purchases')
    .select('purchase_id')
    .where('user_id', '=', sql<string>`any (${arrayText(userIds)}::uuid[])`)
    .execute()
  const firsts = new Set(rows.map(({ purchase_id }) => purchase_id))
  return loaded.map((each) => ({
    ...each,
    facts: { ...each.facts, isFirstPurchaseBonusLost: !firsts.has(each.purchase.id) },
  }))
}

const NOTHING = cryptoAmount(0n)

/** Only of the purchase's own asset: of another one nothing is ever credited. */
function readSent(
  { amount, why }: BeingSent,
  { terms }: Purchase,
  receipt: Pick<Receipt, 'seenAt'>,
) {
  const read = parseDecimal(amount, terms.cryptoDecimals)
  invariant(read !== null, 'A mark has an amount of its asset.')
  const likely = isOnTime(terms, receipt) ? ('underpaid' as const) : ('late' as const)
  return { amount: cryptoAmount(read), why: why ?? likely }
}

async function listGrants(
  transaction: DatabaseTransaction,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, Grant[]>> {
  const rows = await transaction
    .selectFrom('grants')
    .selectAll()
    .where('purchase_id', 'in', purchaseIds)
    .orderBy('receipt_id')
    .execute()
  return gather(rows, ({ receipt_id, stage_id, tokens, is_short }) => ({
    receiptId: receipt_id,
    stageId: stage_id,
    tokens,
    isShort: is_short,
  }))
}

/** What is owed back of one purchase. */
export async function listRefundsOf(
  database: Database,
  purchaseId: string,
): Promise<readonly RefundDue[]> {
  return (await listRefunds(database, [purchaseId])).get(purchaseId) ?? []
}

async function listRefunds(
  database: Database,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, RefundDue[]>> {
  const rows = await database
    .selectFrom('refunds_due')
    .selectAll()
    .where('purchase_id', 'in', purchaseIds)
    .orderBy('receipt_id')
    .execute()
  return gather(rows, ({ receipt_id, amount, why }) => ({ receiptId: receipt_id, amount, why }))
}

/** Groups the rows by purchase, keeping their order. */
function gather<Row extends { purchase_id: string }, Part>(
  rows: readonly Row[],
  toPart: (row: Row) => Part,
): ReadonlyMap<string, Part[]> {
  const groups = Map.groupBy(rows, (row) => row.purchase_id)
  return new Map([...groups].map(([id, group]) => [id, group.map(toPart)]))
}

async function listMarks(
  database: Database,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, StoredMark[]>> {
  const rows = await database
    .selectFrom('operator_marks')
    .select(['purchase_id', 'kind', 'at', 'reason'])
    .where('purchase_id', 'in', purchaseIds)
    .orderBy('id')
    .execute()
  return gather(rows, ({ kind, at, reason }) => ({ kind, at, reason }))
}

export type StoredMark = OperatorMark & { reason: string }

/** The marks of operators on a purchase, newest last. */
export async function listMarksOf(
  database: Database,
  purchaseId: string,
): Promise<readonly StoredMark[]> {
  return (await listMarks(database, [purchaseId])).get(purchaseId) ?? []
}

/** The caller also has to request the purchase's settlement. */
export async function insertMark(
  transaction: DatabaseTransaction,
  purchaseId: string,
  { kind, at, reason }: StoredMark,
): Promise<void> {
  await transaction
    .insertInto('operator_marks')
    .values({ purchase_id: purchaseId, kind, at, reason })
    .execute()
}
