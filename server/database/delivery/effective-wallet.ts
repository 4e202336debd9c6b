import { type RawBuilder, sql } from 'kysely'

/** Allows for a database clock that was a little behind when a wallet was set. */
const CLOCK_BEHIND = sql.lit('1 hour')

/** Users whose wallets took effect after a snapshot was taken, or in the hour before. */
export function walletsSince(snapshot: number): RawBuilder<unknown> {
  return sql`
    select user_id from receiving_wallets
    where cancelled_at is null and effective_at > (
      select taken_at - interval ${CLOCK_BEHIND} from snapshots where number = ${snapshot}
    )`
}

/**
 * The address that a user's tokens go to at an instant: the newest wallet in effect; null if there
 * is none, or if the sale names no chain.
 */
export function effectiveWallet(
  userId: RawBuilder<unknown>,
  chainId: number | null,
  now: Date,
): RawBuilder<string | null> {
  if (chainId === null) return sql`null::text`
  return sql`(
    select wallet.address from receiving_wallets as wallet
    where wallet.user_id = ${userId} and wallet.chain_id = ${chainId}
      and wallet.cancelled_at is null and wallet.effective_at <= ${now}
    order by wallet.effective_at desc, wallet.set_at desc
    limit 1
  )`
}
