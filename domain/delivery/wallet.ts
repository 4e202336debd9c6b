/** How a receiving wallet was shown to be its owner's; `none` where its address was pasted. */
export const walletProofs = ['signature', 'contract_signature', 'none'] as const
export type WalletProof = (typeof walletProofs)[number]

/** How long a change of a receiving wallet that the old one has not signed can be cancelled. */
export const WALLET_COOL_OFF_MS = 48 * 60 * 60_000

/**
 * What the owner can do next: `set` the first wallet, `change` it, or `cancel` a change that waits.
 * `frozen`: the newest snapshot names the wallet, so that it stays.
 */
export const walletSteps = ['set', 'change', 'cancel', 'frozen'] as const
export type WalletStep = (typeof walletSteps)[number]

/** Of an address that was pasted, so many characters are asked for once more. */
export const LAST_CHARACTERS = 6
