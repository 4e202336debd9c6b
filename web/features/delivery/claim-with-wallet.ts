import { sendByWallet, type WalletSending } from '#web/lib/wallet/send-by-wallet.ts'
import { claimCall, type ClaimOrder } from './claim-call.ts'

/** Has a browser wallet claim a row. If it throws `WalletRefusal`, nothing was sent. */
export async function claimWithWallet(sending: WalletSending<ClaimOrder>): Promise<void> {
  const { chain_id: chainId, contract } = sending.order
  const data = claimCall(sending.order)
  await sendByWallet(sending, {
    chainId,
    isSame: (due) => claimCall(due) === data && due.contract === contract,
    // A wallet that supports `chainId` refuses to send on any other chain.
    transactionFrom: (from) => {
      return { from, chainId: `0x${chainId.toString(16)}`, to: contract, value: '0x0', data }
    },
  })
}
