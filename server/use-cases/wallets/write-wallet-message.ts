import { insertChallenge } from '#server/database/delivery/wallets.ts'
import type { Caller } from '#server/ports/security.ts'
import type { WalletMessage } from '#server/ports/wallets.ts'
import type { Services } from '#server/services.ts'
import { readWalletAddress, requireDelivery } from './own-wallet.ts'

/** A day, since several people may have to sign for one contract wallet. */
export const MESSAGE_TTL_MS = 24 * 60 * 60_000

/**
 * Writes and stores what a wallet has to sign so that the caller's tokens go to it, or to another
 * one.
 */
export async function writeWalletMessage(
  services: Services,
  wanted: { signer: string; receiver?: string | undefined },
  { userId }: Caller,
): Promise<{ signer: string; nonce: string; message: string; expiresAt: Date }> {
  const { database, clock, limits, random, wallets } = services
  const { chainId } = requireDelivery(services)
  await limits.take('wallet_message_by_user', userId)
  const signer = await readWalletAddress(services, wanted.signer, 'signer')
  const receiver =
    wanted.receiver === undefined
      ? signer
      : await readWalletAddress(services, wanted.receiver, 'receiver')
  const issuedAt = clock.now()
  const expiresAt = new Date(issuedAt.getTime() + MESSAGE_TTL_MS)
  // 122 random bits in letters and digits, which is all that a nonce may have (EIP-4361).
  const nonce = random.id().replaceAll('-', '')
  const written = { userId, signer, receiver, chainId, nonce, issuedAt, expiresAt }
  const message = await wallets.writeMessage(written satisfies WalletMessage)
  await insertChallenge(database, { nonce, user_id: userId, message, expires_at: expiresAt })
  return { signer, nonce, message, expiresAt }
}
