import { findChain } from '#server/database/rails/chains.ts'
import { type ClaimRow, listPaidClaims, updateClaims } from '#server/database/refunds/claims.ts'
import type { PaidTransfer, Payouts } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'

const DAY_MS = 24 * 60 * 60_000
/** A reorganisation that goes deeper than what was paid days ago is a matter of the whole world. */
const RECHECKED_MS = 2 * DAY_MS
/** One that has gone may come back. */
const GONE_RECHECKED_MS = 30 * DAY_MS

/**
 * Looks whether what was paid lately is still on its chain. What is not appears in the inbox, and
 * stays paid: the server does not decide to pay again.
 */
export async function recheckPaid(services: Services): Promise<void> {
  const { database, clock, log } = services
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const paid = await listPaidClaims(database, {
    since: before(RECHECKED_MS),
    goneSince: before(GONE_RECHECKED_MS),
  })
  for (const [chain, claims] of Map.groupBy(paid, (claim) => claim.chain)) {
    const [first] = claims
    const payouts = first && services.rails.get(first.rail)?.payouts
    if (payouts === undefined) continue
    const transactions = Map.groupBy(claims, ({ transaction_hash: hash }) => hash)
    // Nothing is asked about first: if the chain cannot be read, all others would wait in vain. If
    // it can, one transaction that no node can judge does not hide the others.
    for (const asked of [[], ...transactions.values()]) {
      try {
        await recheck(services, payouts, chain, asked, now)
      } catch (error) {
        const hash = asked[0]?.transaction_hash
        log.warn({ error, chain, hash }, 'The server could not look again for what was paid')
        if (asked.length === 0) break
      }
    }
  }
}

async function recheck(
  { database, log }: Services,
  payouts: Payouts,
  chain: string,
  claims: readonly ClaimRow[],
  now: Date,
): Promise<void> {
  // A node with fewer blocks than had shown a transfer cannot say that it is gone.
  const seen = claims.map(({ seen_height: height }) => height ?? 0n)
  const read = (await findChain(database, chain))?.height ?? 0n
  const height = seen.reduce((most, each) => (each > most ? each : most), read)
  const gone = new Set(await payouts.findGone(chain, claims.flatMap(transferOf), height))
  const lost = claims.filter(({ id, gone_at: at }) => at === null && gone.has(id))
  const back = claims.filter(({ id, gone_at: at }) => at !== null && !gone.has(id))
  const idsOf = (rows: readonly ClaimRow[]) => rows.map(({ id }) => id)
  await updateClaims(database, idsOf(lost), { gone_at: now })
  await updateClaims(database, idsOf(back), { gone_at: null })
  for (const { id, transaction_hash: hash } of lost) {
    log.error({ claimId: id, chain, hash }, 'A refund that was paid is no longer on its chain')
  }
}

function transferOf(claim: ClaimRow): PaidTransfer[] {
  const { id, address, transaction_hash: transactionHash, output_index: index } = claim
  const { seen_height: seenHeight, confirmations } = claim
  if (transactionHash === null || index === null || seenHeight === null) return []
  const height = seenHeight - BigInt(confirmations ?? 0) + 1n
  return [{ id, address, transactionHash, index, height }]
}
