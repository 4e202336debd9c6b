import * as z from 'zod/mini'

/**
 * What browsers and the server exchange about passkeys: the JSON forms of WebAuthn Level 3, section
 * 5.1, with bytes as base64url.
 */

const FAULT = 'Must be what the browser answered for the passkey'
const bytes = (lengthMax: number) =>
  z
    .string({ error: FAULT })
    .check(z.regex(/^[\w-]+$/, { error: FAULT }), z.maxLength(lengthMax, { error: FAULT }))

/** The longest identifier of a credential (1,023 bytes). */
const CredentialId = bytes(1_400)
const Transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

const common = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key', { error: FAULT }),
  authenticatorAttachment: z.optional(z.enum(['platform', 'cross-platform'], { error: FAULT })),
  /** For the extensions that a browser adds on its own; they are ignored. */
  clientExtensionResults: z.optional(z.record(z.string(), z.unknown())),
}

/** What the browser returns for a new passkey (`RegistrationResponseJSON`). */
export const NewPasskey = z.strictObject({
  ...common,
  response: z.strictObject({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(20_000),
    transports: z.optional(
      z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10, { error: FAULT })),
    ),
    /** Also contained in the attestation, from which it is read. */
    authenticatorData: z.optional(bytes(20_000)),
    publicKey: z.optional(bytes(8_000)),
    publicKeyAlgorithm: z.optional(z.number()),
  }),
})
export type NewPasskey = z.output<typeof NewPasskey>

/** What the browser returns for a passkey that is used (`AuthenticationResponseJSON`). */
export const UsedPasskey = z.strictObject({
  ...common,
  response: z.strictObject({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(8_000),
    signature: bytes(8_000),
    userHandle: z.optional(bytes(200)),
  }),
})
export type UsedPasskey = z.output<typeof UsedPasskey>

/** What a browser makes a passkey from (`PublicKeyCredentialCreationOptionsJSON`). */
export const PasskeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(
    z.object({
      id: z.string(),
      type: z.literal('public-key'),
      transports: z.array(Transport),
    }),
  ),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})
export type PasskeyCreation = z.output<typeof PasskeyCreation>

/** What a browser signs with a passkey (`PublicKeyCredentialRequestOptionsJSON`). */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
})
export type PasskeyRequest = z.output<typeof PasskeyRequest>
