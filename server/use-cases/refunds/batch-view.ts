import { createHash } from 'node:crypto'

import { Refusal } from '#domain/refusal.ts'
import { cryptoAmount } from '#domain/money.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import type { RefundBatchState } from '#domain/refunds/claim-states.ts'
import { inSnapshot } from '#server/database/connection/read-snapshot.ts'
import {
  type BatchRow,
  findBatch,
  listBatchClaims,
  listBatchRows,
} from '#server/database/refunds/batches.ts'
import { type ClaimRow } from '#server/database/refunds/claims.ts'
import { listClaimRowsOf } from '#server/database/refunds/owned-claims.ts'
import { listNamedSights } from '#server/database/refunds/named-transactions.ts'
import { listOtherAmounts } from '#server/database/refunds/other-amounts.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import type { NamedSight } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import { marketValueOfAll, paysOf, tokenOf, viewClaims } from './claim-view.ts'

/** Every named transaction is looked up repeatedly for as long as its batch is followed. */
export const NAMED_MAX = 50

export type BatchView = ReturnType<typeof viewBatch>
export type BatchRecord = Awaited<ReturnType<typeof getBatch>>

/** Batches in one state or in any, newest first; `after` is the first of the next page. */
export async function listBatches(
  services: Services,
  page: { state: RefundBatchState | null; after: bigint | null; limit: number },
) {
  const { state, after: startId, limit } = page
  const { database } = services
  const rows = await listBatchRows(database, { state, startId, countMax: limit + 1 })
  const batches = rows.slice(0, limit)
  const claims = await listBatchClaims(
    database,
    batches.map(({ id }) => id),
  )
  const market = await loadMarket(database)
  const items = batches.map((batch) => {
    const own = (claims.get(batch.id) ?? []).filter((each) => isOf(batch, each))
    return viewBatch(services, batch, own, market)
  })
  return { items, after: rows[limit]?.id ?? null }
}

/** One batch with its claims. Refuses with `NotFound`. */
export async function getBatch(services: Services, id: bigint) {
  const { database } = services
  const batch = await findBatch(database, id)
  if (batch === null) throw noSuchBatch()
  const { every, sights } = await claimsAndSights(database, id)
  const own = every.filter((each) => isOf(batch, each))
  const rows = await listClaimRowsOf(
    database,
    own.map((each) => each.id),
  )
  const isOffered = batch.state === 'open' && unresolvedOf(sights, own).length === 0
  return {
    ...viewBatch(services, batch, own, await loadMarket(database)),
    named: namedOf(services, batch, own, sights),
    others: await othersOf(services, batch, own),
    items: await viewClaims(services, database, rows),
    formats: isOffered ? formatsOf(services, batch) : [],
    sha256: hashOfRows(rows),
  }
}

const AWAITED =
  'No payment of this batch was found in it yet. It may not be in a block so far: the server looks ' +
  'again every few seconds. If its chain has it already, it pays nothing of this batch, whose ' +
  'addresses, coins and amounts have to be exact: name the one that does. If you have replaced it in ' +
  'your wallet, with a higher fee, name the new one'
const ELSEWHERE = 'It pays nothing of this batch, all of which was found in other transactions'
const WAITING =
  'It waits for a block, or is unknown to the node now, and the batch has no files meanwhile: they ' +
  'could pay the same again. If you raise its fee, the server finds the transaction that replaces it'
const UNREAD =
  'It is in a block, and the node does not tell which coins its contract has sent: it may have paid ' +
  'this batch, which has no files meanwhile. Look at it in your wallet, and set up a node that traces ' +
  '(debug_traceTransaction). Only if it pays nothing, cancel the batch and put its claims into ' +
  'another one'
const replaced = ({ replacedBy }: NamedSight) =>
  `It can never be mined: ${replacedBy ?? 'another transaction'} has taken its place (with the ` +
  'same nonce, or the same coins), and no payment of this batch was found there. Look at it in ' +
  'your wallet. If it pays the batch, name it. Only if it pays nothing, cancel the batch and put ' +
  'its claims into another one: this one has no more files'

/**
 * The transactions that an operator named, the last one first, and those that were found to pay
 * before and are not any more, with how many of the batch's claims each is found to pay.
 */
function namedOf(
  { rails }: Services,
  { rail, chain, state, named_hash: last, former_hashes: former }: BatchRow,
  claims: readonly ClaimRow[],
  sights: ReadonlyMap<string, NamedSight>,
) {
  const named = [...former, ...(last === null ? [] : [last])].toReversed()
  const lost = unresolvedOf(sights, claims).map(({ hash }) => hash)
  return [...new Set([...named, ...lost])].map((hash) => {
    const paid = claims.filter(({ transaction_hash: by }) => by === hash).length
    const isOver = state === 'cancelled' || paid > 0
    return {
      hash,
      isNamed: named.includes(hash),
      explorerUrl: rails.get(rail)?.explorerUrl(chain, hash) ?? null,
      claims: paid,
      note: isOver ? null : state === 'open' ? noteOf(sights.get(hash), claims) : ELSEWHERE,
    }
  })
}

/** For a transaction that pays nothing of an open batch. */
function noteOf(sight: NamedSight | undefined, claims: readonly ClaimRow[]): string {
  if (sight?.state === 'waiting') return WAITING
  if (sight?.state === 'unread') return UNREAD
  if (sight?.state !== 'replaced') return AWAITED
  if (!isFound(sight, claims)) return replaced(sight)
  return `It was replaced by ${sight.replacedBy}, whose payments count in its place`
}

const isFound = ({ hash, replacedBy }: NamedSight, claims: readonly ClaimRow[]) =>
  claims.some(({ transaction_hash: by }) => by !== null && (by === hash || by === replacedBy))

/**
 * The transactions that pay nothing now and are not in a block, cannot be read there, or were
 * replaced by what is not found to pay: what they should pay may be paid, so that it must not be
 * offered again.
 */
export function unresolvedOf(
  sights: ReadonlyMap<string, NamedSight>,
  claims: readonly ClaimRow[],
): NamedSight[] {
  return [...sights.values()].filter((sight) => sight.state !== 'mined' && !isFound(sight, claims))
}

/**
 * The claims of a batch, including those that have left, and what is seen of its transactions, as
 * of one moment: what has changed from waiting to paid in between would seem to be neither.
 */
export async function claimsAndSights(database: Database, id: bigint) {
  return await inSnapshot(database, async (snapshot) => ({
    every: (await listBatchClaims(snapshot, [id])).get(id) ?? [],
    sights: await listNamedSights(snapshot, id),
  }))
}

/** What came to addresses of a batch's claims in other amounts, as long as they are not found. */
export async function othersOf(
  { database, rails }: Services,
  { rail, chain }: BatchRow,
  claims: readonly ClaimRow[],
) {
  const unfound = claims.filter(({ state }) => state === 'batched').map(({ id }) => id)
  return (await listOtherAmounts(database, unfound)).map((other) => ({
    ...other,
    explorerUrl: rails.get(rail)?.explorerUrl(chain, other.transactionHash) ?? null,
  }))
}

export function noSuchBatch(): Refusal {
  return new Refusal('NotFound', { message: 'There is no batch with this id' })
}

/** A gateway's transfers are made by hand. Empty if the sale no longer has the rail. */
export function formatsOf(
  { rails }: Services,
  { rail, chain }: Pick<BatchRow, 'rail' | 'chain'>,
): readonly PayoutFormat[] {
  const found = rails.get(rail)
  return found === undefined ? [] : (found.payouts?.formats(chain) ?? ['csv'])
}

/**
 * SHA-256 of what is to be sent: a line for each claim, in the order of their ids, with its id,
 * address, payment token id and amount in base units, separated by spaces.
 */
export function hashOfRows(claims: readonly ClaimRow[]): string {
  const lines = claims
    .map((each) => `${each.id} ${each.address} ${each.payment_token_id} ${paysOf(each)}\n`)
    .toSorted()
  return sha256(lines.join(''))
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Which of a batch's former and present claims count as its own: all of them once it is cancelled.
 */
function isOf({ state }: BatchRow, { left_at: leftAt }: { left_at: Date | null }): boolean {
  return state === 'cancelled' || leftAt === null
}

/** How many claims it has, or had when it was cancelled, and what is to be sent in each asset. */
function viewBatch(
  services: Services,
  batch: BatchRow,
  claims: readonly ClaimRow[],
  market: Awaited<ReturnType<typeof loadMarket>>,
) {
  const { rail, chain, named_hash: hash } = batch
  const own = claims.filter(({ batch_id: batchId }) => batchId === batch.id)
  // As in its files: what the chain has shown is not to be sent again.
  const listed = batch.state === 'open' ? own.filter(({ state }) => state === 'batched') : claims
  const sums = [...Map.groupBy(listed, ({ payment_token_id }) => payment_token_id).values()]
  return {
    batch,
    claims: claims.length,
    sent: own.filter(({ state }) => state === 'sent').length,
    confirmed: own.filter(({ state }) => state === 'confirmed').length,
    sums: sums.flatMap((each) => {
      const [first] = each
      if (first === undefined) return []
      const pays = cryptoAmount(each.reduce((sum, claim) => sum + paysOf(claim), 0n))
      return [{ paymentToken: tokenOf(services, first), pays, claims: each.length }]
    }),
    usd: marketValueOfAll(services, market, listed),
    namedExplorerUrl:
      hash === null ? null : (services.rails.get(rail)?.explorerUrl(chain, hash) ?? null),
  }
}
