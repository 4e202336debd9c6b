import type { Delivery } from '#contract/delivery/deliveries.ts'
import { sendByWallet, type WalletSending } from '#web/lib/wallet/send-by-wallet.ts'

export type ClaimOrder = NonNullable<Delivery['claim']>

/** Selector of `claim(uint256,address,uint256,bytes32[])`, of Uniswap's `MerkleDistributor`. */
const CLAIM = '0x2e7ba6ef'
const WORD_DIGITS = 64
/** Where the proof begins: after the four words of the arguments. */
const PROOF_AT = 4 * 32

/** The call that claims a row; the contract sends the tokens to its account, whoever calls. */
export function claimCall({ index, account, amount, proof }: ClaimOrder): string {
  const words = [
    word(BigInt(index)),
    account.slice(2).toLowerCase().padStart(WORD_DIGITS, '0'),
    word(BigInt(amount)),
    word(BigInt(PROOF_AT)),
    word(BigInt(proof.length)),
    ...proof.map((hash) => hash.slice(2)),
  ]
  return CLAIM + words.join('')
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0')
}

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
