import { Unavailable } from '#domain/unavailable.ts'
import type { WalletMessage } from '#server/ports/wallets.ts'

/**
 * What a wallet is asked to sign (EIP-4361): who asks, for what, for whose account, on which chain
 * and until when, so that it is useless for anything else. In ASCII, as wallets that display such
 * messages expect. Throws `Unavailable` if the server's own address does not fit.
 * @param publicUrl Of the server, without a slash at the end.
 */
export async function writeWalletMessage(
  publicUrl: string,
  { userId, signer, receiver, chainId, nonce, issuedAt, expiresAt }: WalletMessage,
): Promise<string> {
  // Loaded when first needed: that takes half a second, for which no start should wait.
  const { createSiweMessage } = await import('viem/siwe')
  try {
    return createSiweMessage({
      domain: domainOf(publicUrl),
      address: signer as `0x${string}`,
      statement:
        signer === receiver
          ? 'Deliver the tokens of my account to this wallet. This sends nothing and costs nothing.'
          : `Deliver the tokens of my account to ${receiver} and no longer to this wallet. ` +
            'This sends nothing and costs nothing.',
      uri: `${publicUrl}/account`,
      version: '1',
      chainId,
      nonce,
      issuedAt,
      expirationTime: expiresAt,
      resources: [`urn:uuid:${userId}`],
    })
  } catch {
    throw new Unavailable('PUBLIC_URL has no host that wallets sign for: give it a domain')
  }
}

export function domainOf(publicUrl: string): string {
  return new URL(publicUrl).host
}
