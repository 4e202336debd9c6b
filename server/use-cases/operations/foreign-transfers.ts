import { invariant } from '#domain/invariant.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import type { ForeignTransferState } from '#domain/settlement/outcome.ts'
import {
  decideForeignTransfer,
  dismissForeignTransfers,
  findForeignTransfer,
  type ForeignTransferPlace,
  type ForeignTransferRow,
  listForeignTransfers,
  lockForeignTransfer,
  sumForeignTransfers,
} from '#server/database/purchases/foreign-transfers.ts'
import { findPurchase, requestSettlements } from '#server/database/purchases/purchases.ts'
import { recordReceipts } from '#server/database/purchases/receipts.ts'
import { findChain } from '#server/database/rails/chains.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { requiredConfirmations } from '#server/use-cases/settlement/required-confirmations.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'

/** A transfer with a link to where it can be seen; null if no explorer is known. */
export type ForeignTransferItem = ForeignTransferRow & { explorerUrl: string | null }

const SUMS_MAX = 100

/**
 * Transfers of tokens that the sale does not take, oldest first. Refuses with `InvalidInput` for an
 * invalid cursor.
 */
export async function pageForeignTransfers(
  services: Services,
  input: {
    state: ForeignTransferState | 'all'
    purchaseId?: string | undefined
    after: string | null
    limit: number
  },
) {
  const { database } = services
  const { state, purchaseId = null, after, limit } = input
  const start = after === null ? null : readPlace(after)
  const wanted = state === 'all' ? null : state
  const page = { state: wanted, purchaseId, start, countMax: limit + 1 }
  const rows = await listForeignTransfers(database, page)
  const next = rows[limit]
  return {
    items: rows.slice(0, limit).map((row) => withExplorer(services, row)),
    after: next === undefined ? null : `${next.seen_at.toISOString()}_${next.id}`,
    sums: await sumForeignTransfers(database, SUMS_MAX),
  }
}

const PLACE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function readPlace(text: string): ForeignTransferPlace {
  const [, seen = '', id = ''] = PLACE.exec(text) ?? []
  const seenAt = new Date(seen)
  if (Number.isNaN(seenAt.getTime())) {
    throw wrongField('after', 'Must be the value of after in the page before this one')
  }
  return { seenAt, id }
}

function withExplorer({ rails }: Services, row: ForeignTransferRow): ForeignTransferItem {
  const explorerUrl = rails.get(row.rail)?.explorerUrl(row.chain, row.transaction_hash) ?? null
  return { ...row, explorerUrl }
}

type Decision = { id: string; reason: string }

/** Puts a transfer away. Refuses with `NotFound`, and with `TransferDecided` if it is not open. */
export async function dismissForeignTransfer(
  services: Services,
  { id, reason }: Decision,
  operator: Operator,
): Promise<ForeignTransferItem> {
  await services.database.transaction().execute(async (transaction) => {
    const transfer = await lock(transaction, id)
    if (transfer.state !== 'open') throw new Refusal('TransferDecided')
    const at = services.clock.now()
    await decideForeignTransfer(transaction, id, { state: 'dismissed', reason, at })
    const { purchase_id: purchaseId } = transfer
    const details = { transfer_id: id, asset: transfer.asset, reason }
    await recordAction(services, transaction, operator, {
      act: 'dismissForeignTransfer',
      purchaseId,
      details,
    })
  })
  return await findItem(services, id)
}

/** Puts all open transfers of a token away. Returns how many there were. */
export async function dismissForeignToken(
  services: Services,
  { chain, asset, reason }: { chain: string; asset: string; reason: string },
  operator: Operator,
): Promise<number> {
  return await services.database.transaction().execute(async (transaction) => {
    const at = services.clock.now()
    const count = await dismissForeignTransfers(transaction, { chain, asset, reason, at })
    if (count > 0) {
      const details = { chain, asset, count: String(count), reason }
      await recordAction(services, transaction, operator, { act: 'dismissForeignToken', details })
    }
    return count
  })
}

/**
 * Takes a transfer up as a debt: it becomes a receipt of its purchase, in another asset than
 * agreed, and settling lists it for refund once it has its confirmations. A transfer that was put
 * away can still be taken up. Refuses with `NotFound`, `TransferDecided`, and with
 * `TransferNotHeld` if the token says that the address never held it, or if its chain has dropped
 * it.
 */
export async function oweForeignTransfer(
  services: Services,
  { id, reason }: Decision,
  operator: Operator,
): Promise<ForeignTransferItem> {
  await services.database.transaction().execute(async (transaction) => {
    const transfer = await lock(transaction, id)
    if (transfer.state === 'owed') throw new Refusal('TransferDecided')
    if (transfer.is_held === false || transfer.is_gone) throw new Refusal('TransferNotHeld')
    const at = services.clock.now()
    await decideForeignTransfer(transaction, id, { state: 'owed', reason, at })
    // Before the receipt: settling locks `settlements_due` first.
    await requestSettlements(transaction, [transfer.purchase_id])
    await addReceipt(services, transaction, transfer)
    const { purchase_id: purchaseId, asset, amount } = transfer
    const details = { transfer_id: id, asset, amount: String(amount), reason }
    await recordAction(services, transaction, operator, {
      act: 'oweForeignTransfer',
      purchaseId,
      details,
    })
  })
  await settleDue(services)
  return await findItem(services, id)
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockForeignTransfer>>>

async function addReceipt(
  services: Services,
  transaction: DatabaseTransaction,
  transfer: Locked,
): Promise<void> {
  const purchase = await findPurchase(transaction, transfer.purchase_id)
  invariant(purchase !== null, 'Purchases are never deleted.')
  const { rails } = services
  const { block_height: block, chain, amount } = transfer
  const rail = rails.get(purchase.rail)
  const required = requiredConfirmations(rail, purchase, { chain, paymentTokenId: null, amount })
  const height = (await findChain(transaction, chain))?.height ?? 0n
  const depth = block === null ? 0 : Number(height - block + 1n)
  await recordReceipts(transaction, [
    {
      purchaseId: transfer.purchase_id,
      chain,
      transactionHash: transfer.transaction_hash,
      index: transfer.output_index,
      paymentTokenId: null,
      asset: transfer.asset,
      amount,
      blockHeight: block,
      isGone: false,
      confirmations: Math.min(Math.max(depth, 0), required),
      requiredConfirmations: required,
      seenAt: transfer.seen_at,
      market: null,
    },
  ])
}

async function lock(transaction: DatabaseTransaction, id: string): Promise<Locked> {
  const transfer = isId(id) ? await lockForeignTransfer(transaction, id) : null
  if (transfer === null) {
    throw new Refusal('NotFound', { message: 'There is no transfer with this id' })
  }
  return transfer
}

async function findItem(services: Services, id: string): Promise<ForeignTransferItem> {
  const row = await findForeignTransfer(services.database, id)
  invariant(row !== null, 'Foreign transfers are never deleted.')
  return withExplorer(services, row)
}
