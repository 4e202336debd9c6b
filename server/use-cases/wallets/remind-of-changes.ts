import { listUnremindedChanges } from '#server/database/delivery/wallets.ts'
import type { Services } from '#server/services.ts'
import { mailAboutWallet } from './set-wallet.ts'

/** So long before it takes effect, the owner gets a second mail about a change. */
const REMINDED_BEFORE_MS = 24 * 60 * 60_000
const REMINDED_AT_ONCE = 200

/** Mails who can still cancel a change of their wallet, once. Safe to run anywhere at once. */
export async function remindOfChanges({ database, clock }: Services): Promise<void> {
  const now = clock.now()
  const until = new Date(now.getTime() + REMINDED_BEFORE_MS)
  await database.transaction().execute(async (transaction) => {
    const due = await listUnremindedChanges(transaction, now, until, REMINDED_AT_ONCE)
    for (const wallet of due) await mailAboutWallet(transaction, wallet, 'wallet_change_soon', now)
  })
}
