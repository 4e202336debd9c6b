import { readTransactionHash } from '#domain/chains/transaction-hash.ts'
import { payoutsCsv } from '#domain/refunds/payout-files.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { type RailName, railNames } from '#domain/sale/sale.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { findChain } from '#server/database/rails/chains.ts'
import {
  type BatchRow,
  findBatch,
  insertBatch,
  listBatchClaims,
  lockBatch,
  lockClaimsToBatch,
  takeOutOfBatch,
  updateBatch,
} from '#server/database/refunds/batches.ts'
import {
  type ClaimPartRow,
  type ClaimRow,
  listClaimParts,
  lockClaims,
  updateClaims,
} from '#server/database/refunds/claims.ts'
import { listWaitingElsewhere } from '#server/database/refunds/named-transactions.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { isReceiptHash } from '#server/database/settlement/refund-payments.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import { type PayoutFile, PAYOUTS_A_BATCH_MAX } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  actOrWait,
  requireApproval,
  type WaitsForApproval,
} from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { centsText } from '#server/use-cases/sale/amount-texts.ts'
import {
  type BatchRecord,
  claimsAndSights,
  formatsOf,
  getBatch,
  hashOfRows,
  NAMED_MAX,
  noSuchBatch,
  othersOf,
  sha256,
  unresolvedOf,
} from './batch-view.ts'
import { notifyOfClaim } from './claim-refund.ts'
import { payoutOf, tokenOf, marketValueOfAll } from './claim-view.ts'
import { keepPaidByHand } from './keep-paid.ts'

const NOT_FOUND_YET =
  'This batch was sent already, and the file has what was not found of it: look into your wallet ' +
  'first. An amount that was a little too small, or two payments in one, are not found.'

const otherAmounts = (count: number) =>
  `${count === 1 ? 'A transfer' : `${count} transfers`} of another amount came to addresses in this ` +
  'file, which still has the whole amounts: see the batch.'

const mayStillPay = (hash: string) =>
  `The transaction ${hash} of an earlier batch was seen to wait for a block, and may still pay some ` +
  'of the same: wait until it is in one. Only if it pays nobody else, use its nonce or its coins for ' +
  'another one, and wait until that one is mined.'

export type WantedBatch = {
  rail: string
  chain: string
  paymentTokenId: string | null
  /** Null: all that are approved. */
  claimIds: readonly string[] | null
}

/**
 * Puts approved claims on one chain together, oldest first. Claims whose money is gone, or that
 * have a held purchase, are left out. A batch worth more than the sale file's limit waits for a
 * second person: throws `WaitsForApproval`. Refuses with `InvalidInput`, `NothingToBatch`, and with
 * `ClaimClosed` if a named claim is no longer approved.
 */
export async function makeBatch(
  services: Services,
  wanted: WantedBatch,
  operator: Operator,
): Promise<{ batch: BatchRecord; leftOut: readonly string[] }> {
  const { rail, chain } = requireRail(services, wanted)
  const made = await actOrWait(services, operator, async (transaction) => {
    const claims = await lockClaimsToBatch(
      transaction,
      { ...wanted, ids: wanted.claimIds },
      PAYOUTS_A_BATCH_MAX,
    )
    if (wanted.claimIds !== null && claims.length < new Set(wanted.claimIds).size) {
      throw new Refusal('ClaimClosed', {
        message: 'A claim that you named is no longer approved, or belongs to another chain',
      })
    }
    const payable = await leaveOut(transaction, claims)
    if (payable.length === 0) throw new Refusal('NothingToBatch')
    const waits = await waitForSecond(services, transaction, wanted, payable, operator)
    if (waits !== null) return waits
    const sinceHeight = (await findChain(transaction, chain))?.height ?? 0n
    const now = services.clock.now()
    const ids = payable.map(({ id }) => id)
    const row = { rail, chain, since_height: sinceHeight, created_at: now }
    const batch = await insertBatch(transaction, row, ids)
    await updateClaims(transaction, ids, { state: 'batched', batch_id: batch.id })
    for (const claim of payable) await notifyOfClaim(transaction, claim)
    await recordAction(services, transaction, operator, {
      act: 'makeRefundBatch',
      details: {
        batch_id: String(batch.id),
        chain,
        claims: String(ids.length),
        sha256: hashOfRows(payable),
      },
    })
    const leftOut = claims.map(({ id }) => id).filter((id) => !ids.includes(id))
    return { id: batch.id, leftOut }
  })
  return { batch: await getBatch(services, made.id), leftOut: made.leftOut }
}

/**
 * A batch as a file for a wallet, with everything not seen on the chain. Refuses with `NotFound`,
 * `BatchClosed`, `InvalidInput`, and with `RailUnavailable` and the rail's own sentence if it
 * cannot make the file.
 */
export async function makeBatchFile(
  services: Services,
  id: bigint,
  format: PayoutFormat,
): Promise<PayoutFile & { sha256: string }> {
  const { database, rails } = services
  const batch = await findBatch(database, id)
  if (batch === null) throw noSuchBatch()
  const { every, sights } = await claimsAndSights(database, id)
  // A file that includes what was sent would pay it a second time.
  const current = every.filter(({ left_at: leftAt }) => leftAt === null)
  const claims = current.filter(({ state }) => state === 'batched')
  if (batch.state !== 'open' || claims.length === 0) throw new Refusal('BatchClosed')
  const [unresolved] = unresolvedOf(sights, current)
  if (unresolved !== undefined) {
    throw new Refusal('BatchClosed', {
      message:
        `The transaction ${unresolved.hash}, or one that has replaced it, may pay this batch: see ` +
        'what the batch says of it. To pay in another way, cancel this batch and make another one',
    })
  }
  if ((await leaveOut(database, claims)).length < claims.length) {
    throw new Refusal('BatchClosed', {
      message:
        'Money of a claim is no longer on its chain, or a purchase of it is held. Cancel this ' +
        'batch and make another one',
    })
  }
  if (!formatsOf(services, batch).includes(format)) {
    throw wrongField('format', 'This batch is not available in this format')
  }
  const content = {
    id,
    chain: batch.chain,
    createdAt: batch.created_at,
    payouts: claims.map((claim) => payoutOf(services, claim)),
  }
  const made = rails.get(batch.rail)?.payouts?.makeFile(content, format)
  const file = (await made?.catch(refuseWithReason)) ?? {
    name: `payouts-${id}-${batch.chain}.csv`,
    mediaType: 'text/csv',
    text: payoutsCsv(content),
    note: 'Send each amount from where the money is held, and name the transaction here.',
  }
  const wasSent = batch.named_hash !== null || current.length > claims.length
  const others = await othersOf(services, batch, claims)
  const ids = claims.map((claim) => claim.id)
  const waiting = await listWaitingElsewhere(database, ids)
  const note = [
    file.note,
    ...(wasSent ? [NOT_FOUND_YET] : []),
    ...(others.length > 0 ? [otherAmounts(others.length)] : []),
    ...waiting.map(mayStillPay),
  ].join(' ')
  return { ...file, note, sha256: sha256(file.text) }
}

/** Two payouts to one address, or too few coins, are for operators to know: no passing fault. */
function refuseWithReason(error: unknown): never {
  if (!(error instanceof Unavailable)) throw error
  throw new Refusal('RailUnavailable', { message: error.message })
}

/**
 * Names the transaction that pays a batch, so that it is looked at first, along with those named
 * before it. If no chain is read, the batch's claims are recorded as paid by it. Refuses with
 * `NotFound`, `BatchClosed`, `InvalidInput`, `HashUsed`, and with `RailUnavailable` if the sale no
 * longer has its rail.
 */
export async function nameBatchHash(
  services: Services,
  { id, hash: text }: { id: bigint; hash: string },
  operator: Operator,
): Promise<BatchRecord> {
  await services.database.transaction().execute(async (transaction) => {
    const batch = await lockOpen(transaction, id)
    const rail = services.rails.get(batch.rail)
    if (rail === undefined) {
      throw new Refusal('RailUnavailable', {
        message: 'This server does not read the chain of this batch: set up its rail again first',
      })
    }
    const claims = await lockOwn(transaction, batch)
    const hash = await readHash(services, transaction, batch, claims, text)
    const { named_hash: last, former_hashes: former } = batch
    const former_hashes = [...new Set([...former, ...(last === null ? [] : [last])])].filter(
      (each) => each !== hash,
    )
    if (former_hashes.length >= NAMED_MAX) {
      throw new Refusal('BatchClosed', {
        message:
          `${NAMED_MAX} transactions were named for this batch. Cancel the batch, and put what ` +
          'was not sent into another one',
      })
    }
    await updateBatch(transaction, id, { named_hash: hash, former_hashes })
    const isReadByHand = rail.payouts === undefined
    if (isReadByHand) await keepPaidByHand(services, transaction, claims, { batch, hash })
    await recordAction(services, transaction, operator, {
      act: 'nameRefundBatchHash',
      details: { batch_id: String(id), hash, paid: String(isReadByHand) },
    })
  })
  return await getBatch(services, id)
}

/**
 * Cancels a batch of which nothing was seen on the chain, or the unseen part of one that was sent
 * in part. The claims can be put into another batch. Refuses with `NotFound`, `BatchClosed`.
 */
export async function cancelBatch(
  services: Services,
  { id, reason }: { id: bigint; reason: string },
  operator: Operator,
): Promise<BatchRecord> {
  await services.database.transaction().execute(async (transaction) => {
    const batch = await lockOpen(transaction, id)
    const claims = await lockOwn(transaction, batch)
    const unsent = claims.filter(({ state }) => state === 'batched')
    if (unsent.length === 0) {
      throw new Refusal('BatchClosed', { message: 'All of this batch has already been sent' })
    }
    const now = services.clock.now()
    const ids = unsent.map((claim) => claim.id)
    await updateClaims(transaction, ids, { state: 'approved', batch_id: null })
    await takeOutOfBatch(transaction, id, ids, now)
    for (const claim of unsent) await notifyOfClaim(transaction, claim)
    const isWhole = unsent.length === claims.length
    const closed = isWhole
      ? { state: 'cancelled' as const, closed_at: now }
      : { state: 'sent' as const }
    await updateBatch(transaction, id, { ...closed, reason })
    await recordAction(services, transaction, operator, {
      act: 'cancelRefundBatch',
      details: { batch_id: String(id), claims: String(ids.length), reason },
    })
  })
  return await getBatch(services, id)
}

function requireRail(
  { rails }: Services,
  { rail: name, chain, paymentTokenId }: WantedBatch,
): { rail: RailName; chain: string } {
  const rail = railNames.find((each): each is RailName => each === name)
  const found = rail && rails.get(rail)
  if (rail === undefined || found === undefined) {
    throw wrongField('rail', 'Nothing in this sale is paid by this rail')
  }
  // One recorded transaction paid the whole batch.
  if (found.payouts === undefined && paymentTokenId === null) {
    throw wrongField('payment_token_id', 'Give the coin: a gateway sends one coin per transaction')
  }
  return { rail, chain }
}

/** The claims whose money is there and whose purchases nobody holds. */
async function leaveOut(database: Database, claims: readonly ClaimRow[]): Promise<ClaimRow[]> {
  const parts = await listClaimParts(
    database,
    claims.map(({ id }) => id),
  )
  const isPayable = (part: ClaimPartRow) => part.is_covered && !part.is_held
  return claims.filter(({ id }) => (parts.get(id) ?? []).every(isPayable))
}

async function waitForSecond(
  services: Services,
  transaction: DatabaseTransaction,
  wanted: WantedBatch,
  claims: readonly ClaimRow[],
  operator: Operator,
): Promise<WaitsForApproval | null> {
  const usd = marketValueOfAll(services, await loadMarket(transaction), claims)
  // Something without a price may be worth any amount.
  if (usd !== null && usd <= services.sale.approvals.refundOver) return null
  const value = usd === null ? 'of unknown worth' : `worth ${centsText(usd)}`
  const refunds = claims.length === 1 ? 'one claimed refund' : `${claims.length} claimed refunds`
  return await requireApproval(services, transaction, operator, {
    act: 'makeRefundBatch',
    input: {
      rail: wanted.rail,
      chain: wanted.chain,
      payment_token_id: wanted.paymentTokenId,
      claim_ids: claims.map(({ id }) => id).toSorted(),
      sha256: hashOfRows(claims),
    },
    summary: `Send ${refunds} on ${wanted.chain}, ${value}`,
    about: null,
    usd,
  })
}

/** A batch that is on its way, locked. */
async function lockOpen(transaction: DatabaseTransaction, id: bigint): Promise<BatchRow> {
  const batch = await lockBatch(transaction, id)
  if (batch === null) throw noSuchBatch()
  if (batch.state !== 'open' && batch.state !== 'sent') throw new Refusal('BatchClosed')
  return batch
}

/** The claims that are in a batch, locked. */
async function lockOwn(transaction: DatabaseTransaction, { id }: BatchRow): Promise<ClaimRow[]> {
  const every = (await listBatchClaims(transaction, [id])).get(id) ?? []
  const ids = every.filter(({ left_at: leftAt }) => leftAt === null).map((claim) => claim.id)
  return (await lockClaims(transaction, ids)).filter(({ batch_id: batchId }) => batchId === id)
}

async function readHash(
  services: Services,
  transaction: DatabaseTransaction,
  { rail, chain }: BatchRow,
  claims: readonly ClaimRow[],
  text: string,
): Promise<string> {
  const [first] = claims
  if (first === undefined) throw new Refusal('BatchClosed')
  const read = readTransactionHash(text, { rail, paymentToken: tokenOf(services, first) })
  if ('fault' in read) throw wrongField('hash', read.fault)
  if (await isReceiptHash(transaction, chain, read.hash)) {
    const message =
      'Money arrived by this transaction. Give the hash of the one that pays the batch'
    throw new Refusal('HashUsed', { message })
  }
  return read.hash
}
