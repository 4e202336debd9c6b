import { Refusal } from '#domain/refusal.ts'
import { findChallenge } from '#server/database/delivery/wallets.ts'
import type { SignatureCheck } from '#server/ports/wallets.ts'
import type { Services } from '#server/services.ts'
import { requireDelivery } from './own-wallet.ts'
import { MESSAGE_TTL_MS } from './write-wallet-message.ts'

/** A message written by this server, and the signature under it. */
export type Signed = { nonce: string; signature: string }

export type CheckedSignature = Signed & {
  message: string
  by: Exclude<SignatureCheck, { by: null }>
}

/**
 * Makes sure that a wallet has signed where the user's tokens go, with an unused message written by
 * this server, as it is now, for just that purpose. The caller who sets the wallet uses it up.
 * Refuses with `WalletMessageInvalid`, `SignatureWrong`, `SignatureUnchecked`.
 */
export async function checkSigned(
  services: Services,
  { nonce, signature }: Signed,
  meant: { userId: string; signer: string; receiver: string },
): Promise<CheckedSignature> {
  const { database, clock, wallets } = services
  const { chainId } = requireDelivery(services)
  const challenge = await findChallenge(database, nonce, meant.userId)
  const now = clock.now()
  if (challenge === null || challenge.expires_at <= now) throw new Refusal('WalletMessageInvalid')
  const expiresAt = challenge.expires_at
  const issuedAt = new Date(expiresAt.getTime() - MESSAGE_TTL_MS)
  const message = { ...meant, chainId, nonce, issuedAt, expiresAt }
  // Compared as a whole: domain, address, statement, URI, chain, times and account.
  if ((await wallets.writeMessage(message)) !== challenge.message) {
    throw new Refusal('WalletMessageInvalid')
  }
  const check = await wallets.checkSignature({ message, signature, now })
  if (check.by === null) {
    throw new Refusal(check.why === 'wrong' ? 'SignatureWrong' : 'SignatureUnchecked')
  }
  return { nonce, signature: signature.toLowerCase(), message: challenge.message, by: check }
}
