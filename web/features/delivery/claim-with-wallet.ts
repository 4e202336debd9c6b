import type { WalletProvider } from '#web/lib/wallet/announced-wallets.ts'
import {
  askForAccount,
  askWallet,
  readChain,
  switchChain,
  within,
} from '#web/lib/wallet/ask-wallet.ts'
import { WalletRefusal } from '#web/lib/wallet/wallet-refusal.ts'
import { claimCall, type ClaimOrder } from './claim-call.ts'

/** What a claim is waiting for: the wallet's account, its network, the server, the buyer. */
export type ClaimStep = 'account' | 'network' | 'checking' | 'confirming'

interface ClaimOptions {
  provider: WalletProvider
  order: ClaimOrder
  /** Asks the server again; null if there is nothing to claim by now. */
  readOrder: () => Promise<ClaimOrder | null>
  onStep: (step: ClaimStep) => void
  /** The claim was sent; its hash. Also called if the buyer confirms after a `timeout`. */
  onSent: (hash: string) => void
}

const CONFIRMED_WITHIN_MS = 300_000
const HASH = /^0x[0-9a-f]{64}$/i

/** Has a browser wallet claim a row. If it throws {@link WalletRefusal}, nothing was sent. */
export async function claimWithWallet(options: ClaimOptions): Promise<void> {
  const { provider, order, onStep } = options
  onStep('account')
  const account = await askForAccount(provider)
  if ((await readChain(provider)) !== order.chain_id) {
    onStep('network')
    await switchChain(provider, order.chain_id)
  }
  onStep('checking')
  const due = await options.readOrder().catch(() => {
    throw new WalletRefusal('unreachable')
  })
  if (due === null) throw new WalletRefusal('notDue')
  if (claimCall(due) !== claimCall(order) || due.contract !== order.contract) {
    throw new WalletRefusal('changed')
  }
  if ((await readChain(provider)) !== order.chain_id) throw new WalletRefusal('wrongChain')
  onStep('confirming')
  await within(CONFIRMED_WITHIN_MS, send(options, account))
}

async function send({ provider, order, onSent }: ClaimOptions, from: string): Promise<void> {
  const transaction = {
    from,
    // A wallet that supports this field refuses to send on any other chain.
    chainId: `0x${order.chain_id.toString(16)}`,
    to: order.contract,
    value: '0x0',
    data: claimCall(order),
  }
  const hash = await askWallet(provider, 'eth_sendTransaction', [transaction], null)
  if (typeof hash !== 'string' || !HASH.test(hash)) throw new WalletRefusal('failed')
  onSent(hash)
}
