import type { WalletProvider } from './announced-wallets.ts'
import { askForAccount, askWallet, readChain, switchChain, within } from './ask-wallet.ts'
import { WalletRefusal } from './wallet-refusal.ts'

/** What a transaction is waiting for: the wallet's account, its network, the server, the buyer. */
export type WalletStep = 'account' | 'network' | 'checking' | 'confirming'

export interface WalletSending<Order> {
  provider: WalletProvider
  /** What the buyer sees and accepts by pressing the button. */
  order: Order
  /** Asks the server what is due now; null if nothing is. Rejects if the server cannot be asked. */
  readOrder: () => Promise<Order | null>
  onStep: (step: WalletStep) => void
  /**
   * The transaction was sent; its hash. Also called long after a `timeout` was reported, if the
   * buyer confirms only then: what was sent must never be lost.
   */
  onSent: (hash: string) => void
}

interface OrderKind<Order> {
  chainId: number
  /** Whether what is due now is what the buyer has accepted. */
  isSame: (due: Order) => boolean
  transactionFrom: (account: string) => Record<string, string>
  /** Throws {@link WalletRefusal} for a transaction that must fail, before its fee is paid. */
  checkFunds?: (account: string) => Promise<void>
}

const CONFIRMED_WITHIN_MS = 300_000
const HASH = /^0x[0-9a-f]{64}$/i

/**
 * Has a browser wallet send exactly what is due, on the right chain. If it throws
 * {@link WalletRefusal}, nothing was sent as far as the wallet says.
 */
export async function sendByWallet<Order>(
  { provider, readOrder, onStep, onSent }: WalletSending<Order>,
  { chainId, isSame, transactionFrom, checkFunds }: OrderKind<Order>,
): Promise<void> {
  onStep('account')
  const account = await askForAccount(provider)
  if ((await readChain(provider)) !== chainId) {
    onStep('network')
    await switchChain(provider, chainId)
  }
  onStep('checking')
  await checkFunds?.(account)
  // Somebody may have sent it from elsewhere meanwhile, or the time may have run out.
  const due = await readOrder().catch(() => {
    throw new WalletRefusal('unreachable')
  })
  if (due === null) throw new WalletRefusal('notDue')
  if (!isSame(due)) throw new WalletRefusal('changed')
  // The wallet may have been switched to another network in the meantime.
  if ((await readChain(provider)) !== chainId) throw new WalletRefusal('wrongChain')
  onStep('confirming')
  const sent = askToSend(provider, transactionFrom(account)).then(onSent)
  await within(CONFIRMED_WITHIN_MS, sent)
}

async function askToSend(
  provider: WalletProvider,
  transaction: Record<string, string>,
): Promise<string> {
  const hash = await askWallet(provider, 'eth_sendTransaction', [transaction], null).catch(
    (error: unknown) => {
      // A wallet that lost its network may have sent it before: only 'failed' says to check first.
      const isLost = error instanceof WalletRefusal && error.reason === 'disconnected'
      throw isLost ? new WalletRefusal('failed') : error
    },
  )
  if (typeof hash !== 'string' || !HASH.test(hash)) throw new WalletRefusal('failed')
  return hash
}
