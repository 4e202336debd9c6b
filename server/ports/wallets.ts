/** What is known of wallets on EVM chains, and how they show whose they are (EIP-4361). */
export type Wallets = {
  /**
   * An address with the checksum of EIP-55, or why nothing can be delivered to it, a sentence for
   * buyers: a wrong checksum, another coin's, nobody's, a contract's or one of the seller's own.
   * Whether the sale has given it out to be paid to is not looked up.
   * @param contracts Those of the sale's tokens, whatever case.
   */
  readAddress(
    text: string,
    contracts: readonly TokenContract[],
  ): Promise<{ address: string } | { fault: string }>
  /** Whether a node of the chain is set, so that contract wallets can be asked. */
  hasNode(chainId: number): boolean
  /**
   * Whether a contract stands at an address. A key's account that has delegated to one (EIP-7702)
   * is none. Null if no node tells.
   */
  isContract(chainId: number, address: string): Promise<boolean | null>
  /** What the signer is asked to sign. The same facts give the same text, to the last character. */
  writeMessage(message: WalletMessage): Promise<string>
  /** Whether a signature is the signer's, by its key or by what its contract says (EIP-1271). */
  checkSignature(signed: {
    message: WalletMessage
    /** In hexadecimal, with `0x`. */
    signature: string
    now: Date
  }): Promise<SignatureCheck>
}

export type TokenContract = { symbol: string; contract: string | null }

/** Consent of a wallet that a user's tokens go to a wallet: the same one, or another. */
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
 * `wrong`: not the signer's. `unchecked`: the key of that address has not signed it, and no node
 * could be asked whether a contract there, or one that is to come there (ERC-6492), takes it.
 */
export type SignatureCheck =
  | { by: 'key' }
  /** A contract's answer may be another one later: by which block it was given. */
  | { by: 'contract'; block: { height: bigint; hash: string } }
  | { by: null; why: 'wrong' | 'unchecked' }
