import { invariant } from '#domain/invariant.ts'
import {
  assetDecimals,
  assetOf,
  gatewayCoinOf,
  refundPaidTransfers,
} from '#domain/settlement/ledger.ts'
import { formatDecimal, groupThousands, parseDecimal, type Usd } from '#domain/money.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { paymentTokenOf } from '#domain/sale/sale.ts'
import type { Purchase } from '#domain/settlement/stored-purchase.ts'
import { valueAtLockedPrice } from '#domain/settlement/stake.ts'
import { readTransactionHash } from '#domain/chains/transaction-hash.ts'
import { recordTransfers } from '#server/database/books/ledger.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import { type ApprovalRow, listWaitingAbout } from '#server/database/operators/approvals.ts'
import { hasPaidClaim, isClaimed } from '#server/database/refunds/claims.ts'
import { lockPurchases } from '#server/database/purchases/purchases.ts'
import {
  findRefundPayment,
  insertRefundPayment,
  isReceiptHash,
} from '#server/database/settlement/refund-payments.ts'
import {
  deleteRefundDue,
  findOwedReceipt,
  findRefundRow,
  type OwedReceipt,
} from '#server/database/settlement/refunds.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  actOrWait,
  requireApproval,
  type WaitsForApproval,
} from '#server/use-cases/approvals/require-approval.ts'
import { hashOfAct, type WaitingActs } from '#server/use-cases/approvals/waiting-acts.ts'
import { viewRefunds } from './list-refunds.ts'
import { isSameHash } from '#server/use-cases/audit/audit-chain.ts'
import { type Act, recordAction } from '#server/use-cases/audit/record-action.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'

export type RefundPayment = {
  receiptId: string
  /** Of the transaction that paid it. */
  hash: string
  /**
   * What was sent, as a decimal: refused if another amount is owed. If left out, it is not
   * compared.
   */
  amount?: string | undefined
  /** True if the same transaction has paid another refund too. */
  isShared: boolean
}

/**
 * Records that the amount owed for a receipt was paid back, and by which transaction, and mails the
 * buyer. Recording the same payment again returns it. A refund that is worth more than the sale
 * file's limit waits for a second person: throws `WaitsForApproval`.
 */
export async function payRefund(services: Services, payment: RefundPayment, operator: Operator) {
  // The last block may have changed what is owed.
  await settleDue(services)
  const { receiptId } = payment
  const known = isId(receiptId) ? await findOwedReceipt(services.database, receiptId) : null
  if (known === null) {
    throw new Refusal('NotFound', { message: 'There is no receipt with this id' })
  }
  const paymentId = await actOrWait(services, operator, async (transaction) => {
    // Settling the purchase holds the same lock: either it sees this payment, or this sees its
    // result.
    const [purchase] = await lockPurchases(transaction, [known.purchaseId])
    const receipt = await findOwedReceipt(transaction, receiptId)
    invariant(purchase !== undefined && receipt !== null, 'Receipts are never deleted.')
    return await record(services, transaction, { purchase, receipt, payment, operator })
  })
  const row = await findRefundRow(services.database, paymentId)
  invariant(row !== null, 'A payment that was recorded stays.')
  const [refund] = await viewRefunds(services, services.database, [row])
  invariant(refund !== undefined, 'Each row is shown.')
  return refund
}

type RefundToRecord = {
  purchase: Purchase
  receipt: OwedReceipt
  payment: RefundPayment
  operator: Operator
}

/** Returns the id of the payment, or what it waits for. */
async function record(
  services: Services,
  transaction: DatabaseTransaction,
  { purchase, receipt, payment, operator }: RefundToRecord,
): Promise<bigint | WaitsForApproval> {
  const hash = readHash(services, purchase, receipt, payment.hash)
  const { id: receiptId, owed, chain } = receipt
  if (owed === null) {
    const repeated = await findRefundPayment(transaction, receiptId, hash)
    if (repeated !== null) return repeated.id
    throw new Refusal((await isClaimed(transaction, receiptId)) ? 'RefundClaimed' : 'RefundNotOwed')
  }
  if (await isClaimed(transaction, receiptId)) throw new Refusal('RefundClaimed')
  if (receipt.isHeld) throw new Refusal('RefundNotOwed', { message: HELD })
  const decimals = decimalsOf(services, receipt)
  requireAmount(payment.amount, owed.amount, decimals)
  if (await isReceiptHash(transaction, chain, hash)) {
    const message =
      'This is the transaction by which the money arrived. Give the hash of the one that paid ' +
      'it back'
    throw new Refusal('HashUsed', { message })
  }
  if (!payment.isShared && (await hasPaidClaim(transaction, { chain, hash }))) {
    throw new Refusal('HashUsed', { message: HASH_OF_ANOTHER })
  }
  const amount = formatDecimal(owed.amount, decimals)
  const input = { id: receiptId, hash, amount, shared: payment.isShared }
  await requireOnlyMark(services, transaction, input, operator)
  const acts: Act[] = []
  const waits = await waitForSecond(services, transaction, {
    purchase,
    receipt,
    operator,
    input,
    usd: valueAtLockedPrice(purchase.terms, { ...receipt, amount: owed.amount }),
    acts,
  })
  if (waits !== null) return waits
  const refund = { purchase, receipt, payment, operator }
  const paymentId = await keepPayment(services, transaction, refund, { hash, acts })
  // Not before the payment, which waits for another one with this hash: that waits for the acts.
  for (const act of acts) await recordAction(services, transaction, operator, act)
  return paymentId
}

/** Writes the payment with everything that follows from it, and returns its id. */
async function keepPayment(
  services: Services,
  transaction: DatabaseTransaction,
  { purchase, receipt, payment }: RefundToRecord,
  { hash, acts }: { hash: string; acts: Act[] },
): Promise<bigint> {
  const { id: receiptId, owed, chain } = receipt
  if (owed === null) throw new Refusal('RefundNotOwed')
  const now = services.clock.now()
  const paymentId = await insertRefundPayment(
    transaction,
    {
      receipt_id: receiptId,
      purchase_id: purchase.id,
      amount: owed.amount,
      why: owed.why,
      owed_since: owed.since,
      chain,
      transaction_hash: hash,
      paid_at: now,
    },
    payment.isShared,
  )
  if (paymentId === null) throw new Refusal('HashUsed', { message: HASH_OF_ANOTHER })
  await deleteRefundDue(transaction, receiptId)
  const entry = { causeId: purchase.id, userId: purchase.userId }
  const asset = assetOf(receipt)
  const transfers = refundPaidTransfers(asset, owed.amount)
  await recordTransfers(
    transaction,
    transfers.map((transfer) => ({ ...transfer, ...entry })),
    now,
  )
  await enqueueMail(transaction, {
    userId: purchase.userId,
    kind: 'purchase_refund_paid',
    params: { purchase_id: purchase.id, payment_id: String(paymentId) },
    uniqueKey: `purchase_refund_paid:${paymentId}`,
    at: now,
  })
  await notifyLive(transaction, [
    { kind: 'purchase', userId: purchase.userId, transactionId: purchase.id },
  ])
  acts.push({
    act: 'payRefund',
    purchaseId: purchase.id,
    details: {
      receipt_id: receiptId,
      asset,
      amount: formatDecimal(owed.amount, decimalsOf(services, receipt)),
      hash,
    },
  })
  return paymentId
}

/**
 * Refuses while another mark of the receipt waits: if both were done, it would be paid twice.
 * Asking again for the same is none.
 */
async function requireOnlyMark(
  { clock }: Services,
  transaction: DatabaseTransaction,
  input: WaitingActs['payRefund'],
  { approval, id }: Operator,
): Promise<void> {
  // What is approved was the only one when it was asked for.
  if (approval !== undefined) return
  const marks = { acts: ['payRefund'], about: [input.id], now: clock.now() }
  const hash = hashOfAct('payRefund', input)
  const isSame = (mark: ApprovalRow) =>
    mark.state === 'waiting' && mark.asked_by === id && isSameHash(mark.hash, hash)
  const other = (await listWaitingAbout(transaction, marks)).find((mark) => !isSame(mark))
  if (other === undefined) return
  const { hash: sentBy } = other.input as WaitingActs['payRefund']
  throw new Refusal('RefundClaimed', {
    message:
      `${other.asked_name || 'Somebody'} has already asked to mark this as paid, by ${sentBy}. ` +
      'Have that approved; or withdrawn or refused, and mark it again',
  })
}

/** Null if the payment may be recorded now. */
async function waitForSecond(
  services: Services,
  transaction: DatabaseTransaction,
  asked: Omit<RefundToRecord, 'payment'> & {
    input: WaitingActs['payRefund']
    usd: Usd | null
    acts: Act[]
  },
): Promise<WaitsForApproval | null> {
  const { purchase, receipt, operator, input, usd, acts } = asked
  // Something without a price may be worth any amount.
  if (usd !== null && usd <= services.sale.approvals.refundOver) return null
  return await requireApproval(services, transaction, operator, {
    act: 'payRefund',
    input,
    summary: `Mark ${groupThousands(input.amount)} ${symbolOf(services, receipt)} as paid back`,
    about: receipt.id,
    purchaseId: purchase.id,
    usd,
    acts,
  })
}

const HELD = 'Its purchase is held, so nothing of it is paid back. Release it or fail it first'

const HASH_OF_ANOTHER =
  'This transaction is already recorded for another refund. If one transaction paid ' +
  'both, say that it is shared; if not, give the one that paid this refund'

function readHash(
  { sale }: Services,
  purchase: Purchase,
  receipt: OwedReceipt,
  text: string,
): string {
  // What a gateway took and the sale does not may be a coin of any chain.
  const isOfAnyChain = gatewayCoinOf(assetOf(receipt)) !== null
  const paymentToken =
    paymentTokenOf(sale, receipt.paymentTokenId) ??
    paymentTokenOf(sale, purchase.terms.paymentTokenId)
  invariant(paymentToken !== undefined, 'A payment token that was paid in stays in the sale.')
  const coin = { rail: purchase.rail, paymentToken: isOfAnyChain ? null : paymentToken }
  const read = readTransactionHash(text, coin)
  if ('hash' in read) return read.hash
  throw wrongField('hash', read.fault)
}

function symbolOf({ sale }: Services, receipt: OwedReceipt): string {
  const coin = gatewayCoinOf(assetOf(receipt))
  if (coin !== null) return coin.code.toUpperCase()
  return paymentTokenOf(sale, receipt.paymentTokenId)?.symbol ?? 'base units of another asset'
}

const decimalsOf = ({ sale }: Services, receipt: OwedReceipt) =>
  assetDecimals(sale, assetOf(receipt))

function requireAmount(sent: string | undefined, owed: bigint, decimals: number): void {
  if (sent === undefined || parseDecimal(sent, decimals) === owed) return
  throw new Refusal('RefundChanged', {
    message: `${formatDecimal(owed, decimals)} is owed for this receipt, not ${sent}`,
  })
}
