import type { WalletProvider } from '#web/lib/wallet/announced-wallets.ts'
import { askForAccount, askWallet, readChain, switchChain } from '#web/lib/wallet/ask-wallet.ts'
import { WalletRefusal } from '#web/lib/wallet/wallet-refusal.ts'

/** People may read the message carefully, or type it into a separate device. */
const SIGNED_WITHIN_MS = 600_000

const SIGNATURE = /^0x([0-9a-f]{2})+$/i

export interface WalletSignature {
  /** With its checksum, as people compare it; many wallets return it in lower case. */
  account: string
  nonce: string
  signature: string
}

/** The wallet shows another account than the one that has to sign. */
export class WrongAccount extends Error {
  override readonly name = 'WrongAccount'
}

interface SigningOptions {
  provider: WalletProvider
  /** Contract wallets answer for the chain that they are on. */
  chainId: number
  /** The account that has to sign; null for whichever is chosen. */
  account: string | null
  /** Asks the server for the message that the account is to sign. */
  write: (account: string) => Promise<{ signer: string; nonce: string; message: string }>
  onStep: (step: 'account' | 'signing') => void
}

/** Has a browser wallet sign a message from the server (EIP-191). */
export async function signWithWallet(options: SigningOptions): Promise<WalletSignature> {
  const { provider, chainId, account: wanted, write, onStep } = options
  onStep('account')
  const account = await askForAccount(provider)
  if (wanted !== null && account.toLowerCase() !== wanted.toLowerCase()) throw new WrongAccount()
  await preferChain(provider, chainId)
  const { signer, nonce, message } = await write(account)
  onStep('signing')
  const params = [inHex(message), account]
  const signature = await askWallet(provider, 'personal_sign', params, SIGNED_WITHIN_MS)
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) throw new WalletRefusal('failed')
  return { account: signer, nonce, signature }
}

/** A plain key signs on any chain, so a wallet that does not know this one may go on. */
async function preferChain(provider: WalletProvider, chainId: number): Promise<void> {
  try {
    if ((await readChain(provider)) !== chainId) await switchChain(provider, chainId)
  } catch (error) {
    if (error instanceof WalletRefusal && error.reason === 'rejected') throw error
  }
}

function inHex(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
