/** What is known of wallets on EVM chains, and how they prove whose they are (EIP-4361). */
export type Wallets = {
  /**
   * An address with the checksum of EIP-55, or why nothing can be delivered to it, in a sentence
   * for buyers: a wrong checksum, another coin's address, one without an owner, a contract's or one
   * of the seller's own. Does not look up whether the sale has given it out for payments.
   * @param contracts Those of the sale's tokens, in any case of letters.
   */
  readAddress(
    text: string,
    contracts: readonly TokenContract[],
  ): Promise<{ address: string } | { fault: string }>
  /** Whether a node of the chain is set up, so that contract wallets can be asked. */
  hasNode(chainId: number): boolean
  /**
   * Whether there is a contract at an address. A key's account that delegates to one (EIP-7702) is
   * not a contract. Null if no node says.
   */
  isContract(chainId: number, address: string): Promise<boolean | null>
  /** The text for the signer. The same facts always give exactly the same text. */
  writeMessage(message: WalletMessage): Promise<string>
  /** Whether a signature is the signer's, by its key or according to its contract (EIP-1271). */
  checkSignature(signed: {
    message: WalletMessage
    /** In hexadecimal, with `0x`. */
    signature: string
    now: Date
  }): Promise<SignatureCheck>
}

export type TokenContract = { symbol: string; contract: string | null }

/** A wallet's consent that a user's tokens go to itself, or to another wallet. */
export type WalletMessage = {
  userId: string
  /** Both with their checksum. */
  signer: string
  receiver: string
  chainId: number
  /** Letters and digits. */
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

/**
 * `wrong`: not the signer's. `unchecked`: that address's key has not signed it, and no node could
 * be asked whether a contract there, present or future (ERC-6492), accepts it.
 */
export type SignatureCheck =
  | { by: 'key' }
  /** A contract may answer differently later: this is the block of the answer. */
  | { by: 'contract'; block: { height: bigint; hash: string } }
  | { by: null; why: 'wrong' | 'unchecked' }
