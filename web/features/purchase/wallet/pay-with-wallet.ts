import type { WalletProvider } from '#web/lib/wallet/announced-wallets.ts'
import { askWallet, WALLET_MS } from '#web/lib/wallet/ask-wallet.ts'
import { sendByWallet, type WalletSending } from '#web/lib/wallet/send-by-wallet.ts'
import { WalletRefusal } from '#web/lib/wallet/wallet-refusal.ts'
import { balanceCall, isSameOrder, type WalletOrder, walletTransaction } from './wallet-order.ts'

const HEX_NUMBER = /^0x[0-9a-f]+$/i

/** Has a browser wallet pay a purchase; see {@link sendByWallet}. */
export async function payWithWallet(sending: WalletSending<WalletOrder>): Promise<void> {
  const { provider, order } = sending
  await sendByWallet(sending, {
    chainId: order.chainId,
    isSame: (due) => isSameOrder(due, order),
    transactionFrom: (account) => walletTransaction(order, account),
    checkFunds: (account) => checkFunds(provider, order, account),
  })
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
