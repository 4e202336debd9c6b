import { sql } from 'kysely'
import { keepSentTimes } from '#domain/chains/keep-sent-times.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import { requestSettlements } from '#server/database/purchases/purchases.ts'
import { createGatewayPayments } from './gateway-payments.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'
import type {
  AskedPayment,
  GatewayRecord,
  RecordedAnswer,
  RecordedDeposit,
} from '#server/ports/gateway-record.ts'

/** A gateway's payments and its answers about them, as its rail needs them. */
export function createGatewayRecord(database: Database, gateway: string): GatewayRecord {
  return {
    ...createGatewayPayments(database, gateway),

    async save(payment, answer) {
      await database.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom('gateway_payments')
          .select(['asked_at', 'known_through', 'ask_next_at'])
          .where('id', '=', payment.id)
          .forUpdate()
          .executeTakeFirstOrThrow()
        if (row.asked_at !== null && row.asked_at > answer.askedAt) return
        await saveDeposits(transaction, gateway, payment, answer.deposits)
        await addFurther(transaction, gateway, payment, answer)
        const { known_through: known } = row
        // Another server may have known more.
        const knownThrough =
          known !== null && known > answer.knownThrough ? known : answer.knownThrough
        await noteForPurchase(transaction, payment, { ...answer, knownThrough }, known)
        // If something else made it due meanwhile, that is newer than this answer.
        const isHeld = row.ask_next_at?.getTime() === payment.heldUntil.getTime()
        await transaction
          .updateTable('gateway_payments')
          .set({
            asked_at: answer.askedAt,
            known_through: knownThrough,
            said: answer.status,
            ...(isHeld && { ask_next_at: answer.askNextAt }),
          })
          .where('id', '=', payment.id)
          .execute()
      })
    },

    async changesAfter(revision) {
      const rows = await database
        .selectFrom('gateway_deposits as deposit')
        .innerJoin('gateway_payments as payment', 'payment.id', 'deposit.gateway_payment_id')
        .leftJoin('purchases', 'purchases.id', 'payment.purchase_id')
        .selectAll('deposit')
        .leftJoin('gateway_payments as own', (join) =>
          join.onRef('own.purchase_id', '=', 'payment.purchase_id').on('own.is_own', '=', true),
        )
        .select(['payment.payment_id', 'purchases.address', 'own.address as taken_at'])
        .where('deposit.gateway', '=', gateway)
        .where('deposit.revision', '>', revision)
        .orderBy('deposit.revision')
        .execute()
      return {
        revision: rows.at(-1)?.revision ?? revision,
        transfers: rows.map((row) => ({
          transactionHash: row.transaction_hash,
          index: row.output_index,
          address: row.address ?? row.taken_at ?? `payment ${row.payment_id}`,
          paymentTokenId: row.payment_token_id,
          ...(row.asset !== null && { foreign: { name: row.asset } }),
          amount: row.amount,
          blockHeight: null,
          sentAt: row.sent_at,
          isGone: row.is_gone,
          confirmations: row.is_confirmed ? 1 : 0,
        })),
        unmatchedPaymentIds: rows.flatMap((row) =>
          row.address === null ? (row.payment_id ?? []) : [],
        ),
      }
    },
  }
}

type Deposit = Omit<RecordedDeposit, 'amountIn'>

/**
 * A recorded deposit keeps its asset and its unit, whichever payment token the gateway's code
 * stands for now: it was credited, or is owed back, in these.
 */
function asRecorded(
  { amountIn, ...deposit }: RecordedDeposit,
  row: Row<'gateway_deposits'> | undefined,
): Deposit {
  if (row === undefined) return deposit
  const { payment_token_id: paymentTokenId, asset } = row
  return { ...deposit, paymentTokenId, asset, amount: amountIn(paymentTokenId) ?? row.amount }
}

/** Writes everything that has changed under one new revision. */
async function saveDeposits(
  transaction: DatabaseTransaction,
  gateway: string,
  payment: AskedPayment,
  reported: readonly RecordedDeposit[],
): Promise<void> {
  const stored = await transaction
    .selectFrom('gateway_deposits')
    .selectAll()
    .where('gateway_payment_id', '=', payment.id)
    .execute()
  const known = new Map(stored.map((row) => [keyOf(row.transaction_hash, row.output_index), row]))
  const rowOf = (each: Pick<Deposit, 'transactionHash' | 'index'>) =>
    known.get(keyOf(each.transactionHash, each.index))
  const deposits = reported.map((each) => asRecorded(each, rowOf(each)))
  const here = deposits.filter(({ isGone }) => !isGone)
  const present = new Set(here.map((each) => keyOf(each.transactionHash, each.index)))
  const missing = stored.filter(
    (row) => !row.is_gone && !present.has(keyOf(row.transaction_hash, row.output_index)),
  )
  const changed = deposits.filter((each) => {
    const row = rowOf(each)
    // What is gone when it is first named has replaced nothing.
    if (row === undefined) return each.isGone
    return (
      row.amount !== each.amount ||
      row.is_confirmed !== each.isConfirmed ||
      row.is_gone !== each.isGone
    )
  })
  const { arrived } = keepSentTimes(
    missing.map((row) => ({
      paymentTokenId: row.payment_token_id,
      amount: row.amount,
      sentAt: row.sent_at,
    })),
    here.filter((each) => rowOf(each) === undefined),
  )
  if (changed.length === 0 && arrived.length === 0 && missing.length === 0) return
  const revision = await nextRevision(transaction, gateway)
  for (const row of missing) {
    await transaction
      .updateTable('gateway_deposits')
      .set({ is_gone: true, revision })
      .where('gateway', '=', gateway)
      .where('transaction_hash', '=', row.transaction_hash)
      .where('output_index', '=', row.output_index)
      .execute()
  }
  await writeDeposits(transaction, { gateway, paymentId: payment.id, revision }, [
    ...changed,
    ...arrived,
  ])
}

async function writeDeposits(
  transaction: DatabaseTransaction,
  { gateway, paymentId, revision }: { gateway: string; paymentId: bigint; revision: bigint },
  deposits: readonly Deposit[],
): Promise<void> {
  // One statement writes each row once.
  const rows = new Map(
    deposits.map((deposit) => [
      keyOf(deposit.transactionHash, deposit.index),
      {
        gateway,
        transaction_hash: deposit.transactionHash,
        output_index: deposit.index,
        gateway_payment_id: paymentId,
        payment_token_id: deposit.paymentTokenId,
        asset: deposit.asset,
        amount: deposit.amount,
        is_confirmed: deposit.isConfirmed,
        is_gone: deposit.isGone,
        sent_at: deposit.sentAt,
        revision,
      },
    ]),
  )
  for (const part of chunk([...rows.values()])) {
    await transaction
      .insertInto('gateway_deposits')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['gateway', 'transaction_hash', 'output_index'])
          .doUpdateSet((excluded) => ({
            amount: excluded.ref('excluded.amount'),
            is_confirmed: excluded.ref('excluded.is_confirmed'),
            is_gone: excluded.ref('excluded.is_gone'),
            revision: excluded.ref('excluded.revision'),
          })),
      )
      .execute()
  }
}

const keyOf = (hash: string, index: number) => `${hash}:${index}`

async function nextRevision(transaction: DatabaseTransaction, gateway: string): Promise<bigint> {
  const { revision } = await transaction
    .insertInto('gateways')
    .values({ name: gateway, revision: 1n })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ revision: sql`gateways.revision + 1` }),
    )
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

async function addFurther(
  transaction: DatabaseTransaction,
  gateway: string,
  { purchaseId, paymentTokenId }: AskedPayment,
  { furtherIds, askedAt }: RecordedAnswer,
): Promise<void> {
  if (furtherIds.length === 0) return
  await transaction
    .insertInto('gateway_payments')
    .values(
      furtherIds.map((paymentId) => ({
        gateway,
        purchase_id: purchaseId,
        payment_token_id: paymentTokenId,
        is_own: false,
        payment_id: paymentId,
        created_at: askedAt,
        ask_next_at: askedAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Requests another settlement of a purchase that has failed at its gateway, or that is known to
 * have passed its time.
 */
async function noteForPurchase(
  transaction: DatabaseTransaction,
  { purchaseId, isOwn }: AskedPayment,
  { hasFailed, knownThrough }: RecordedAnswer,
  knownBefore: Date | null,
): Promise<void> {
  const purchase = await transaction
    .selectFrom('purchases')
    .select(['has_gateway_failed', 'grace_ends_at'])
    .where('id', '=', purchaseId)
    .executeTakeFirst()
  if (purchase === undefined) return
  const isChanged = isOwn && purchase.has_gateway_failed !== hasFailed
  const { grace_ends_at: endsAt } = purchase
  const hasExpiredNow = knownThrough >= endsAt && (knownBefore === null || knownBefore < endsAt)
  if (!isChanged && !hasExpiredNow) return
  // Before the purchase: settling locks `settlements_due` first and the purchase next.
  await requestSettlements(transaction, [purchaseId])
  if (!isChanged) return
  await transaction
    .updateTable('purchases')
    .set({ has_gateway_failed: hasFailed })
    .where('id', '=', purchaseId)
    .execute()
}

/**
 * Up to when all that was paid at a gateway for each purchase is known; null if the gateway was not
 * asked since the purchase was made, or has named a deposit in time that is still to be recorded as
 * a receipt. Purchases that are paid in other ways are missing.
 */
export async function listKnownThrough(
  database: Database,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, Date | null>> {
  if (purchaseIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('gateway_payments')
    .select((select) => [
      'purchase_id',
      select.fn.min('known_through').as('known_through'),
      sql<boolean>`bool_or(known_through is null or exists (
        select from gateway_deposits as deposit
        join purchases on purchases.id = gateway_payments.purchase_id
        where deposit.gateway_payment_id = gateway_payments.id
          and deposit.sent_at <= purchases.grace_ends_at and deposit.revision > coalesce(
            (select cursor::bigint from chains where name = deposit.gateway), 0
          )
      ))`.as('is_any_unknown'),
    ])
    .where('purchase_id', 'in', purchaseIds)
    .where('ask_next_at', 'is not', null)
    .groupBy('purchase_id')
    .execute()
  return new Map(
    rows.map((row) => [row.purchase_id, row.is_any_unknown ? null : row.known_through]),
  )
}
