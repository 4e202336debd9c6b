import type { CryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'

/**
 * What a rail knows about moving money from our addresses to a treasury. It holds no key: it says
 * what to sign, and passes on what was signed. Amounts of a chain's own coin are in wei. Every
 * query of a node throws `Unavailable` if none answers.
 */
export type Sweeping = {
  /** Of the public key from which the addresses are derived, as the server prints it. */
  fingerprint: string
  /** Pays the gas: the address `1/0` of the same account, which no purchase ever gets. */
  payer: string
  /** The chains that have nodes, with their ids (EIP-155) and treasuries. */
  chains: readonly SweptChain[]
  /** The balances of these addresses, and the network's gas price. */
  look(chain: string, addresses: readonly string[]): Promise<SweepSight>
  /** The gas for moving each, in their order; a sentence if it cannot be moved. */
  gasOf(
    chain: string,
    what: readonly LyingAsset[],
    to: string,
  ): Promise<readonly (bigint | { fault: string })[]>
  nonces(chain: string, addresses: readonly string[]): Promise<ReadonlyMap<string, bigint>>
  /** Parses signed transactions, in their order; a sentence for any that does not sweep. */
  read(raw: readonly string[]): Promise<readonly (SignedTransfer | { fault: string })[]>
  /** A sentence if a token does not release an address's balance. */
  refusal(chain: string, transfer: SignedTransfer): Promise<string | null>
  /** A sentence if the nodes refuse it. They accept what they already know. */
  send(chain: string, raw: string): Promise<string | null>
  /** The state of transactions by their hashes. A transaction that is not found has no entry. */
  find(chain: string, hashes: readonly string[]): Promise<ReadonlyMap<string, MinedTransaction>>
  /** Whether another transaction has used its nonce, and is deep enough. */
  isReplaced(
    chain: string,
    transaction: { hash: string; sender: string; nonce: bigint },
  ): Promise<boolean>
}

export type SweptChain = {
  name: string
  chainId: number
  /** With the checksum of EIP-55; null if none is set. */
  treasury: string | null
}

/** The coin of a chain, or one of the sale's tokens on it. */
export type SweptAsset = {
  /** Null for a coin that the sale does not take. */
  paymentToken: PaymentToken | null
  symbol: string
  decimals: number
  /** Null for the chain's own coin. */
  contract: string | null
}

export type LyingAsset = { address: string; asset: SweptAsset; amount: CryptoAmount }

export type SweepSight = {
  height: bigint
  coin: SweptAsset
  /** Per unit of gas. */
  gasPrice: bigint
  payer: { balance: CryptoAmount; nonce: bigint }
  /** The gas for sending coins from the payer to an address. */
  fundingGas: bigint
  /** Balances that are not zero. */
  lying: readonly LyingAsset[]
}

/** A legacy transaction (EIP-155): its fee is known before it is mined. */
export type SignedTransfer = {
  hash: string
  raw: string
  chainId: number
  from: string
  nonce: bigint
  gas: bigint
  gasPrice: bigint
  /** Where the money goes: for tokens, what their call says. */
  to: string
  /** Null for the chain's own coin. */
  contract: string | null
  amount: CryptoAmount
}

export type MinedTransaction = {
  height: bigint
  hasSucceeded: boolean
  /** Whether it is deep enough not to be replaced any more. */
  isDeep: boolean
}
