import type { WalletProvider } from './announced-wallets.ts'
import { refusalReason, WalletRefusal } from './wallet-refusal.ts'

/** Time limits for a person's answer, and for the wallet's own. */
export const PERSON_MS = 120_000
export const WALLET_MS = 20_000

/** The account that the person chooses (EIP-1102). Throws {@link WalletRefusal}. */
export async function askForAccount(provider: WalletProvider): Promise<string> {
  const accounts = await askWallet(provider, 'eth_requestAccounts', [], PERSON_MS)
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account !== 'string') throw new WalletRefusal('locked')
  return account
}

export async function readChain(provider: WalletProvider): Promise<number> {
  return Number(await askWallet(provider, 'eth_chainId', [], WALLET_MS))
}

/**
 * Switches a wallet to a chain (EIP-3326). The wallet's answer is not trusted: its chain is read
 * again afterwards.
 */
export async function switchChain(provider: WalletProvider, chainId: number): Promise<void> {
  const params = [{ chainId: `0x${chainId.toString(16)}` }]
  try {
    await askWallet(provider, 'wallet_switchEthereumChain', params, PERSON_MS)
  } catch (error) {
    const isExplained = error instanceof WalletRefusal && error.reason !== 'failed'
    throw isExplained ? error : new WalletRefusal('wrongChain')
  }
  if ((await readChain(provider)) !== chainId) throw new WalletRefusal('wrongChain')
}

/** Asks a wallet; without a limit where `limitMs` is null. Throws {@link WalletRefusal}. */
export async function askWallet(
  provider: WalletProvider,
  method: string,
  params: readonly unknown[],
  limitMs: number | null,
): Promise<unknown> {
  // A wallet is third-party code, which may also throw synchronously.
  const answer = Promise.resolve()
    .then(() => provider.request({ method, params }))
    .catch((error: unknown) => {
      throw new WalletRefusal(refusalReason(error))
    })
  return limitMs === null ? await answer : await within(limitMs, answer)
}

export async function within<Value>(limitMs: number, answer: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WalletRefusal('timeout')), limitMs)
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    clearTimeout(timer)
  }
}
