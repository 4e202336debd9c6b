import type { WalletProvider } from '#web/lib/wallet/announced-wallets.ts'
import {
  askForAccount,
  askWallet,
  readChain,
  switchChain,
  WALLET_MS,
  within,
} from '#web/lib/wallet/ask-wallet.ts'
import { WalletRefusal } from '#web/lib/wallet/wallet-refusal.ts'
import { balanceCall, isSameOrder, type WalletOrder, walletTransaction } from './wallet-order.ts'

/** What a payment is waiting for: the wallet's account, its network, the server, the buyer. */
export type WalletStep = 'account' | 'network' | 'checking' | 'confirming'

export interface WalletPaymentOptions {
  provider: WalletProvider
  /** The order that the buyer sees and accepts by pressing the button. */
  order: WalletOrder
  /** Asks the server what is due now; null if nothing is. Rejects if the server cannot be asked. */
  readOrder: () => Promise<WalletOrder | null>
  onStep: (step: WalletStep) => void
  /**
   * The payment was sent; its hash. Also called long after a `timeout` was reported, if the buyer
   * confirms only then: a sent payment must never be lost.
   */
  onSent: (hash: string) => void
}

const CONFIRMED_WITHIN_MS = 300_000

const HASH = /^0x[0-9a-f]{64}$/i
const HEX_NUMBER = /^0x[0-9a-f]+$/i

/**
 * Has a browser wallet send exactly what is due, on the right chain. If it throws {@link
 * WalletRefusal}, nothing was sent as far as the wallet says.
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

/**
 * Spares the buyer the fee of a payment that must fail. If the wallet cannot check it, the payment
 * goes on.
 */
async function checkFunds(
  provider: WalletProvider,
  { contract, amount }: WalletOrder,
  account: string,
): Promise<void> {
  const [method, asked] =
    contract === null ? ['eth_getBalance', account] : ['eth_call', balanceCall(contract, account)]
  const balance = await askWallet(provider, method, [asked, 'latest'], WALLET_MS).catch(() => null)
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
  const hash = await askWallet(provider, 'eth_sendTransaction', params, null).catch(
    (error: unknown) => {
      // A wallet that lost its network may have sent it before: only 'failed' says to check first.
      const isLost = error instanceof WalletRefusal && error.reason === 'disconnected'
      throw isLost ? new WalletRefusal('failed') : error
    },
  )
  if (typeof hash !== 'string' || !HASH.test(hash)) throw new WalletRefusal('failed')
  onSent(hash)
}
