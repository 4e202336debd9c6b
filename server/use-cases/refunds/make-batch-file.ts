import { payoutsCsv } from '#domain/refunds/payout-files.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { findBatch } from '#server/database/refunds/batches.ts'
import { listPaidBefore } from '#server/database/refunds/former-claims.ts'
import {
  listUnsureElsewhere,
  type UnsureTransaction,
} from '#server/database/refunds/named-transactions.ts'
import type { PayoutFile } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import { askNode } from '#server/use-cases/access/ask-node.ts'
import {
  claimsAndSights,
  formatsOf,
  noSuchBatch,
  othersOf,
  sha256,
  unresolvedOf,
} from './batch-view.ts'
import { payoutOf } from './claim-view.ts'
import { listPayable } from './list-payable.ts'
import { lookForPayments } from './look-for-payments.ts'

const NOT_FOUND_YET =
  'This batch was sent already, and the file has what was not found of it: look into your wallet ' +
  'first. An amount that was a little too small, or two payments in one, are not found.'

const otherAmounts = (count: number) =>
  `${count === 1 ? 'A transfer' : `${count} transfers`} of another amount came to addresses in this ` +
  'file, which still has the whole amounts: see the batch.'

const mayPay = ({ hash, state }: UnsureTransaction) =>
  state === null ? isUnseen(hash) : state === 'unread' ? mayHavePaid(hash) : mayStillPay(hash)

const isUnseen = (hash: string) =>
  `The transaction ${hash} was named for an earlier batch, and no node has shown so far that it ` +
  'pays some of the same: look into your wallet first. If it was sent, wait until it is in a block.'

const mayHavePaid = (hash: string) =>
  `The transaction ${hash} of an earlier batch is in a block, and the node does not tell whether it ` +
  'has paid some of the same: look into your wallet first.'

const mayStillPay = (hash: string) =>
  `The transaction ${hash} of an earlier batch was seen to wait for a block, and may still pay some ` +
  'of the same: wait until it is in one. Only if it pays nobody else, use its nonce or its coins for ' +
  'another one, and wait until that one is mined.'

const wasPaid = (hash: string) =>
  `The transaction ${hash} has paid a claim that was rejected, to the same money as one of this ` +
  'batch. If the buyer has it, cancel this batch, reject the claim and mark its refunds as paid by ' +
  'that transaction. If it came back, put its item away in the inbox, and take the file again'

/**
 * A batch as a file for a wallet, with everything not seen on the chain, which is looked at first.
 * Refuses with `NotFound`, `BatchClosed`, `InvalidInput`, and with `RailUnavailable` and a sentence
 * if that is not possible yet, or if the rail cannot make the file.
 */
export async function makeBatchFile(
  services: Services,
  id: bigint,
  format: PayoutFormat,
): Promise<PayoutFile & { sha256: string }> {
  const { database, rails } = services
  const seen = await findBatch(database, id)
  if (seen === null) throw noSuchBatch()
  if (seen.state === 'open') await lookForPayments(services, seen)
  const batch = (await findBatch(database, id)) ?? seen
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
  const ids = claims.map((claim) => claim.id)
  const [paid] = await listPaidBefore(database, ids)
  if (paid !== undefined) throw new Refusal('BatchClosed', { message: wasPaid(paid.hash) })
  if ((await listPayable(database, claims)).length < claims.length) {
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
  // Two payouts to one address, or too few coins, are for operators to know in the rail's words.
  const file = (made && (await askNode(made))) ?? {
    name: `payouts-${id}-${batch.chain}.csv`,
    mediaType: 'text/csv',
    text: payoutsCsv(content),
    note: 'Send each amount from where the money is held, and name the transaction here.',
  }
  const wasSent = batch.named_hash !== null || current.length > claims.length
  const others = await othersOf(services, batch, claims)
  const unsure = await listUnsureElsewhere(database, ids)
  const note = [
    file.note,
    ...(wasSent ? [NOT_FOUND_YET] : []),
    ...(others.length > 0 ? [otherAmounts(others.length)] : []),
    ...unsure.map(mayPay),
  ].join(' ')
  return { ...file, note, sha256: sha256(file.text) }
}
