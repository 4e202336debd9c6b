import { networkName } from '#domain/chains/chain.ts'
import { hasEffectiveWallet } from '#server/database/delivery/unassigned.ts'
import {
  findWallet,
  findWallets,
  isWaiting,
  wasEndedByFreeze,
  type WalletRow,
} from '#server/database/delivery/wallets.ts'
import { findApproval } from '#server/database/operators/approvals.ts'
import { linkTokenOf } from '#server/use-cases/access/session-tokens.ts'
import type { Compose } from './compose.ts'
import { walletWantedMessage } from './texts/account-messages.ts'
import { walletChangeAskedMessage, type WalletMail } from './texts/wallet-messages.ts'

/** A mail about a receiving wallet, sent only while it is still true. */
export const ofWallet =
  (isStillTrue: (wallet: WalletRow, now: Date) => boolean, write: WalletMail): Compose =>
  async ({ database, clock, sale, settings }, letter, params) => {
    const wallet = await findWallet(database, params['wallet_id'] ?? '')
    const now = clock.now()
    if (wallet === null || !isStillTrue(wallet, now)) return null
    const { current } = await findWallets(database, wallet.user_id, now)
    // Another one has taken its place since, and has a mail of its own.
    if (isSet(wallet) && !isWaiting(wallet, now) && current?.id !== wallet.id) return null
    return write(letter, {
      address: wallet.address,
      network: sale.delivery === null ? null : networkName(sale.delivery),
      former: current?.address ?? null,
      effectiveAt: wallet.effective_at,
      token: linkTokenOf(settings.secretKey, wallet.id),
      endedBy:
        params['why'] === 'untold'
          ? 'silence'
          : (await wasEndedByFreeze(database, wallet))
            ? 'freeze'
            : 'owner',
    })
  }

export const isSet = ({ cancelled_at: cancelledAt }: WalletRow) => cancelledAt === null

export const isWaitingStill = (wallet: WalletRow, now: Date) =>
  isSet(wallet) && isWaiting(wallet, now)

/** Once that is decided, another mail says what came of it, or nothing came of it. */
export const ofAskedChange: Compose = async ({ database, sale }, letter, params) => {
  const approval = await findApproval(database, params['approval_id'] ?? '')
  if (approval?.state !== 'waiting') return null
  const { address, former } = approval.input
  if (typeof address !== 'string') return null
  return walletChangeAskedMessage(letter, {
    address,
    network: sale.delivery === null ? null : networkName(sale.delivery),
    former: typeof former === 'string' ? former : null,
  })
}

/** Not if they have set one since. */
export const ofMissingWallet: Compose = async ({ database, sale, clock }, letter, params) => {
  const chainId = sale.delivery?.chainId
  if (chainId === undefined) return null
  const userId = params['user_id'] ?? ''
  const isThere = await hasEffectiveWallet(database, userId, chainId, clock.now())
  return isThere ? null : walletWantedMessage(letter)
}
