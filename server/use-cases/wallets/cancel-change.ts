import { connectionOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import { closeUserLinks, findOpenLink } from '#server/database/accounts/links.ts'
import { lockUser } from '#server/database/accounts/users.ts'
import { cancelWaiting } from '#server/database/delivery/wallets.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'
import { getOwnWallet, type OwnWallet, requireDelivery } from './own-wallet.ts'
import { mailAboutWallet } from './set-wallet.ts'

/** Cancels the caller's waiting change, if there is one. Refuses with `NotFound`. */
export async function cancelChange(services: Services, caller: Caller): Promise<OwnWallet> {
  requireDelivery(services)
  await services.database.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, caller.userId))) throw new Refusal('Unauthenticated')
    await cancelWithin(services, transaction, caller.userId)
  })
  return await getOwnWallet(services, caller)
}

/**
 * Cancels a change through the mailed link: whoever reads the owner's mail can stop it, even if a
 * thief has the account. Refuses with `LinkInvalid`, `TooManyRequests`.
 */
export async function cancelChangeByLink(
  services: Services,
  token: string,
  client: Client,
): Promise<void> {
  const { database, clock, limits } = services
  await limits.take('link_by_address', connectionOf(client.address))
  const link = await findOpenLink(database, 'cancel_wallet', hashToken(token), clock.now())
  if (link === null) throw new Refusal('LinkInvalid')
  await database.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, link.user_id))) throw new Refusal('LinkInvalid')
    // The waiting change is the one that the link is for: a newer change voids earlier links.
    const cancelled = await cancelWithin(services, transaction, link.user_id)
    if (cancelled?.id !== link.id) throw new Refusal('LinkInvalid')
  })
}

async function cancelWithin({ clock }: Services, transaction: DatabaseTransaction, userId: string) {
  const now = clock.now()
  const cancelled = await cancelWaiting(transaction, userId, now)
  if (cancelled === null) return null
  await closeUserLinks(transaction, userId, 'cancel_wallet', now)
  await mailAboutWallet(transaction, cancelled, 'wallet_change_cancelled', now)
  return cancelled
}
