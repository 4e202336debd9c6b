import type { Transaction } from '#contract/shapes.ts'
import { parseDecimal } from '#domain/money.ts'
import { isPayable } from '#web/features/purchase/payment-state.ts'

/** What a browser wallet is to send, and nothing else: amounts in base units. */
export interface WalletOrder {
  chainId: number
  /** Who is paid in the end. */
  recipient: string
  /** Null if the chain's own coin is sent. */
  contract: string | null
  amount: bigint
}

const ADDRESS = '(0x[0-9a-fA-F]{40})'
const COIN_LINK = new RegExp(`^ethereum:${ADDRESS}@(\\d{1,15})\\?value=(\\d+)$`)
const TOKEN_LINK = new RegExp(
  `^ethereum:${ADDRESS}@(\\d{1,15})/transfer\\?address=${ADDRESS}&uint256=(\\d+)$`,
)

/**
 * What a browser wallet could pay for a purchase; null if it must not be asked to. It goes by the
 * payment link, which names a chain, a contract and an amount only if they are certain, and the
 * link has to agree with the address and the amount beside it. A sandbox accepts no payment from a
 * real wallet, whatever its links look like.
 */
export function walletOrder(transaction: Transaction): WalletOrder | null {
  const { payment_token: token, payment_uri: link } = transaction
  if (!isPayable(transaction) || token === null || link === null) return null
  if (Object.hasOwn(token.payment_provider_ids, 'sandbox')) return null
  const order = readLink(link)
  const due = parseDecimal(transaction.payment_amount ?? '', token.decimals)
  const isSame = order?.recipient === transaction.payment_address && order?.amount === due
  return isSame ? order : null
}

function readLink(link: string): WalletOrder | null {
  const [, recipient, chainId, value] = COIN_LINK.exec(link) ?? []
  if (recipient !== undefined) {
    return { chainId: Number(chainId), recipient, contract: null, amount: BigInt(value ?? '') }
  }
  const [, contract, tokenChainId, receiver, amount] = TOKEN_LINK.exec(link) ?? []
  if (contract === undefined || receiver === undefined) return null
  const chain = Number(tokenChainId)
  return { chainId: chain, recipient: receiver, contract, amount: BigInt(amount ?? '') }
}

export function isSameOrder(one: WalletOrder, other: WalletOrder): boolean {
  return (
    one.chainId === other.chainId &&
    one.recipient === other.recipient &&
    one.contract === other.contract &&
    one.amount === other.amount
  )
}

/** A number in the encoding of EIP-1474: hexadecimal, without leading zeros. */
function hexNumber(value: bigint | number): string {
  return `0x${value.toString(16)}`
}

/** Selectors of ERC-20: `transfer(address,uint256)` and `balanceOf(address)`. */
const TRANSFER = '0xa9059cbb'
const BALANCE_OF = '0x70a08231'

/** What is sent from an account: coins, or the call that moves tokens of a contract. */
export function walletTransaction(order: WalletOrder, from: string): Record<string, string> {
  const { chainId, recipient, contract, amount } = order
  // A wallet that supports this field refuses to send on any other chain.
  const shared = { from, chainId: hexNumber(chainId) }
  if (contract === null) return { ...shared, to: recipient, value: hexNumber(amount) }
  const data = TRANSFER + addressWord(recipient) + amount.toString(16).padStart(WORD_DIGITS, '0')
  return { ...shared, to: contract, value: '0x0', data }
}

/** The call that asks a contract how much of its token an account has. */
export function balanceCall(contract: string, account: string): Record<string, string> {
  return { to: contract, data: BALANCE_OF + addressWord(account) }
}

const WORD_DIGITS = 64

function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')
}
