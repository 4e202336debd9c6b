import { cancelUntoldChanges, listUnremindedChanges } from '#server/database/delivery/wallets.ts'
import type { Services } from '#server/services.ts'
import { mailAboutWallet } from './set-wallet.ts'

/** The owner gets a second mail about a change this long before it takes effect. */
const REMINDED_BEFORE_MS = 24 * 60 * 60_000
const REMINDED_AT_ONCE = 200

/**
 * Reminds everybody who can still cancel a wallet change, once. If the first mail about it has not
 * been sent by then, the change is cancelled: a thief's would take effect before its owner hears of
 * it. Safe to run on several instances at once.
 */
export async function remindOfChanges({ database, clock }: Services): Promise<void> {
  const now = clock.now()
  const until = new Date(now.getTime() + REMINDED_BEFORE_MS)
  await database.transaction().execute(async (transaction) => {
    for (const wallet of await cancelUntoldChanges(transaction, now, until)) {
      await mailAboutWallet(transaction, wallet, 'wallet_change_cancelled', now, { why: 'untold' })
    }
    const due = await listUnremindedChanges(transaction, now, until, REMINDED_AT_ONCE)
    for (const wallet of due) await mailAboutWallet(transaction, wallet, 'wallet_change_soon', now)
  })
}
