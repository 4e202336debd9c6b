import type { CryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'

/**
 * What a rail knows about bringing what lies at our addresses to a treasury. It holds no key: it
 * says what there is to sign, and passes on what was signed. Amounts of a chain's own coin are in
 * wei. Everything that asks a node throws `Unavailable` where none answers.
 */
export type Sweeping = {
  /** Of the public key that the addresses are derived from, as the server prints it. */
  fingerprint: string
  /** Pays the gas: the address `1/0` of the same account, which no purchase ever gets. */
  payer: string
  /** The chains that have nodes, with their ids (EIP-155) and treasuries. */
  chains: readonly SweptChain[]
  /** What lies at these addresses, and what the network asks for. */
  look(chain: string, addresses: readonly string[]): Promise<SweepSight>
  /** The gas that moving each takes now; a sentence where it cannot be moved. In their order. */
  gasOf(
    chain: string,
    what: readonly LyingAsset[],
    to: string,
  ): Promise<readonly (bigint | { fault: string })[]>
  /** The next nonce of each address. */
  nonces(chain: string, addresses: readonly string[]): Promise<ReadonlyMap<string, bigint>>
  /** Signed transactions in their order; a sentence for what is none of those that sweep. */
  read(raw: readonly string[]): Promise<readonly (SignedTransfer | { fault: string })[]>
  /** Whether a token lets go of what an address has; a sentence where it does not. */
  refusal(chain: string, transfer: SignedTransfer): Promise<string | null>
  /** A sentence where the nodes do not take it. What they know already they take. */
  send(chain: string, raw: string): Promise<string | null>
  /** Where transactions stand, by their hashes. What is not found has no entry. */
  find(chain: string, hashes: readonly string[]): Promise<ReadonlyMap<string, MinedTransaction>>
  /** Whether another transaction than that one has used its nonce, and is as deep. */
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
  /** For one gas. */
  gasPrice: bigint
  payer: { balance: CryptoAmount; nonce: bigint }
  /** The gas of sending coins from the payer to an address. */
  fundingGas: bigint
  /** What is not zero. */
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
  /** Whether it is deep enough that it is not replaced any more. */
  isDeep: boolean
}
