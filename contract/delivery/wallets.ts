import { LAST_CHARACTERS, walletProofs, walletSteps } from '#domain/delivery/wallet.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Instant, textLike, trimmedUpTo } from '#contract/values.ts'
import { GivenPassword, LinkToken, OneTimeCode } from '#contract/shapes.ts'
import * as z from 'zod/mini'

/** The caller's receiving wallet, to which the bought tokens are delivered. */
export const ReceivingWallet = z.object({
  /** As the sale file names it, and its id (EIP-155). */
  chain: z.string(),
  chain_id: z.int(),
  /** Null if none was set. */
  wallet: z.nullable(
    z.object({
      /** With its checksum (EIP-55). */
      address: z.string(),
      proof: z.enum(walletProofs),
      since_date: Instant,
      /** True if another account has it too. Revealed only if the wallet has signed. */
      is_shared: z.boolean(),
      /** Whether the newest snapshot has it; one that was set later is in the next. */
      is_listed: z.boolean(),
    }),
  ),
  /** The wallet that will replace it; the change can be cancelled until then. */
  change: z.nullable(
    z.object({
      address: z.string(),
      proof: z.enum(walletProofs),
      requested_date: Instant,
      effective_date: Instant,
    }),
  ),
  next_step: z.enum(walletSteps),
  /** Whether signatures of contract wallets can be checked: a node of the chain is set up. */
  checks_contracts: z.boolean(),
})
export type ReceivingWallet = z.output<typeof ReceivingWallet>

export const WalletAddress = trimmedUpTo(200, 'Give the address of the wallet')

const SIGNATURE_FAULT = 'Must be a signature in hexadecimal that begins with 0x'
/** For an undeployed wallet it also contains the deployment (ERC-6492). */
const SIGNATURE_LENGTH_MAX = 20_000

/** A requested message, and the wallet's signature. */
const Signed = z.strictObject({
  nonce: textLike(/^[0-9a-zA-Z]{16,64}$/, 'Must be the nonce of the message'),
  signature: z
    .string({ error: SIGNATURE_FAULT })
    .check(
      z.maxLength(SIGNATURE_LENGTH_MAX, { error: SIGNATURE_FAULT }),
      z.regex(/^0x([0-9a-fA-F]{2})+$/, { error: SIGNATURE_FAULT }),
    ),
})

const FORMER_FAULT = 'Give the wallet that is set so far, or null'

const Yes = z._default(z.boolean({ error: 'Must be true or false' }), false)

/** Where buyers want their tokens; these calls exist only if the sale file has `delivery`. */
export const walletsContract = {
  getOwnWallet: endpoint({
    method: 'GET',
    path: '/wallet',
    access: 'user',
    summary:
      'Returns the caller’s receiving wallet, the one that will replace it, and what comes next.',
    result: ReceivingWallet,
  }),
  writeWalletMessage: endpoint({
    method: 'POST',
    path: '/wallet/messages',
    access: 'user',
    summary:
      'Writes the message that a wallet has to sign (EIP-4361): that the tokens go to it, or ' +
      'from now on to another wallet.',
    body: z.strictObject({
      signer: WalletAddress,
      /** The wallet that the tokens should go to; the signer if left out. */
      receiver: z.optional(WalletAddress),
    }),
    status: 201,
    result: z.object({
      /** With its checksum (EIP-55), as the message and the mails have it. */
      signer: z.string(),
      /** Send this back with the signature. */
      nonce: z.string(),
      /** Sign this unchanged (EIP-191). */
      message: z.string(),
      expires_date: Instant,
    }),
  }),
  setWallet: endpoint({
    method: 'POST',
    path: '/wallet',
    access: 'user',
    summary:
      'Sets the receiving wallet, or requests another one, which replaces it after 48 hours, or ' +
      'at once if the old one has signed that. One that was pasted can sign afterwards. Mails the ' +
      'address.',
    body: z.strictObject({
      address: WalletAddress,
      /** The wallet that was shown, or null for none: refused if it has changed. */
      former: z.nullable(z.string({ error: FORMER_FAULT }).check(z.maxLength(200))),
      /** Signed by the wallet itself. Leave out if the address was pasted. */
      proof: z.optional(Signed),
      /** Signed by the current wallet; then there is no waiting time. */
      consent: z.optional(Signed),
      /** For a pasted address: its last characters, typed again. */
      last_characters: z.optional(
        z.string().check(
          z.length(LAST_CHARACTERS, {
            error: `Enter the last ${LAST_CHARACTERS} characters of the address`,
          }),
        ),
      ),
      /** The address was pasted, and its owner confirms that it is not an exchange's. */
      is_no_exchange: Yes,
      /**
       * The address was pasted, is a contract, and its owner confirms that it can send tokens on.
       */
      is_own_contract: Yes,
      password: GivenPassword,
      /** Along with the password, if two-factor login is on. */
      code: z.optional(OneTimeCode),
    }),
    result: ReceivingWallet,
    errors: [
      'EmailNotVerified',
      'WrongPassword',
      'WrongCode',
      'Busy',
      'WalletFrozen',
      'WalletChangeWaits',
      'WalletChanged',
      'WalletMessageInvalid',
      'SignatureWrong',
      'SignatureUnchecked',
      'WalletIsContract',
    ],
  }),
  cancelWalletChange: endpoint({
    method: 'POST',
    path: '/wallet/change/cancel',
    access: 'user',
    summary: 'Cancels a waiting change of the receiving wallet; safe to repeat.',
    result: ReceivingWallet,
  }),
  cancelWalletChangeByLink: endpoint({
    method: 'POST',
    path: '/wallet/change/cancel-by-link',
    access: 'open',
    summary:
      'Cancels a waiting change of the receiving wallet with the mailed link, without a login.',
    body: z.strictObject({ token: LinkToken }),
    errors: ['LinkInvalid'],
  }),
}
