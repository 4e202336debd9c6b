/** How a receiving wallet was shown to be its owner's; `none` if its address was pasted. */
export const walletProofs = ['signature', 'contract_signature', 'none'] as const
export type WalletProof = (typeof walletProofs)[number]

/** How long a wallet change that the old wallet has not signed can be cancelled. */
export const WALLET_COOL_OFF_MS = 48 * 60 * 60_000

/**
 * What the owner can do next: `set` the first wallet, `change` it, or `cancel` a waiting change.
 * `frozen`: the newest snapshot names a wallet of theirs, so only operators change it.
 */
export const walletSteps = ['set', 'change', 'cancel', 'frozen'] as const
export type WalletStep = (typeof walletSteps)[number]

/** How many characters of a pasted address have to be typed again. */
export const LAST_CHARACTERS = 6
