import type { WalletProvider } from './announced-wallets.ts'
import {
  balanceCall,
  hexNumber,
  isSameOrder,
  type WalletOrder,
  walletTransaction,
} from './wallet-order.ts'
import { refusalReason, WalletRefusal } from './wallet-refusal.ts'

/** The step that a payment waits for: the wallet's account, its network, the server, the buyer. */
export type WalletStep = 'account' | 'network' | 'checking' | 'confirming'

export interface WalletPaymentOptions {
  provider: WalletProvider
  /** The order that the buyer sees and accepts by pressing the button. */
  order: WalletOrder
  /** Asks the server what is due now; null where nothing is. Rejects where it cannot be asked. */
  readOrder: () => Promise<WalletOrder | null>
  onStep: (step: WalletStep) => void
  /**
   * The payment was sent; its hash. Also called long after a `timeout` was reported, where the
   * buyer confirms only then: a payment that was sent must never be lost.
   */
  onSent: (hash: string) => void
}

/** Time limits for an answer of a person, and of the wallet alone. */
const PERSON_MS = 120_000
const WALLET_MS = 20_000
const CONFIRMED_WITHIN_MS = 300_000

const HASH = /^0x[0-9a-f]{64}$/i
const HEX_NUMBER = /^0x[0-9a-f]+$/i

/**
 * Has a browser wallet send exactly what is due, on the right chain. Throws {@link WalletRefusal};
 * nothing was sent then as far as the wallet says.
 */
export async function payWithWallet(options: WalletPaymentOptions): Promise<void> {
  const { provider, order, onStep } = options
  onStep('account')
  const account = await askForAccount(provider)
  if ((await readChain(provider)) !== order.chainId) {
    onStep('network')
    await switchChain(provider, order.chainId)
  }
  onStep('checking')
  await checkFunds(provider, order, account)
  await checkStillDue(options)
  // The wallet may have been switched to another network in the meantime.
  if ((await readChain(provider)) !== order.chainId) throw new WalletRefusal('wrongChain')
  onStep('confirming')
  await within(CONFIRMED_WITHIN_MS, askToSend(options, account))
}

async function askForAccount(provider: WalletProvider): Promise<string> {
  const accounts = await ask(provider, 'eth_requestAccounts', [], PERSON_MS)
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account !== 'string') throw new WalletRefusal('locked')
  return account
}

async function readChain(provider: WalletProvider): Promise<number> {
  return Number(await ask(provider, 'eth_chainId', [], WALLET_MS))
}

/** The answer of the wallet is not trusted: its chain is read again afterwards. */
async function switchChain(provider: WalletProvider, chainId: number): Promise<void> {
  const params = [{ chainId: hexNumber(chainId) }]
  try {
    await ask(provider, 'wallet_switchEthereumChain', params, PERSON_MS)
  } catch (error) {
    const isExplained = error instanceof WalletRefusal && error.reason !== 'failed'
    throw isExplained ? error : new WalletRefusal('wrongChain')
  }
  if ((await readChain(provider)) !== chainId) throw new WalletRefusal('wrongChain')
}

/**
 * Spares the buyer the fee of a payment that must fail. Where the wallet cannot check it, the
 * payment goes on.
 */
async function checkFunds(
  provider: WalletProvider,
  { contract, amount }: WalletOrder,
  account: string,
): Promise<void> {
  const [method, asked] =
    contract === null ? ['eth_getBalance', account] : ['eth_call', balanceCall(contract, account)]
  const balance = await ask(provider, method, [asked, 'latest'], WALLET_MS).catch(() => null)
  if (typeof balance !== 'string' || !HEX_NUMBER.test(balance)) return
  if (BigInt(balance) < amount) throw new WalletRefusal('insufficient')
}

/** Somebody may have paid from elsewhere meanwhile, or the time may have run out. */
async function checkStillDue({ order, readOrder }: WalletPaymentOptions): Promise<void> {
  const due = await readOrder().catch(() => {
    throw new WalletRefusal('unreachable')
  })
  if (due === null) throw new WalletRefusal('notDue')
  if (!isSameOrder(due, order)) throw new WalletRefusal('changed')
}

async function askToSend({ provider, order, onSent }: WalletPaymentOptions, account: string) {
  const params = [walletTransaction(order, account)]
  const hash = await ask(provider, 'eth_sendTransaction', params, null).catch((error: unknown) => {
    // A wallet that lost its network may have sent it before: only 'failed' says to look first.
    const isLost = error instanceof WalletRefusal && error.reason === 'disconnected'
    throw isLost ? new WalletRefusal('failed') : error
  })
  if (typeof hash !== 'string' || !HASH.test(hash)) throw new WalletRefusal('failed')
  onSent(hash)
}

/** Without a limit where `limitMs` is null. */
async function ask(
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

async function within<Value>(limitMs: number, answer: Promise<Value>): Promise<Value> {
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
