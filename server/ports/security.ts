import type { RateRule } from '#domain/accounts/rate-rules.ts'
import type { Permission, Role } from '#domain/operators/permissions.ts'

/** Where a password comes from: each network gets a few places of those that wait. */
type From = Pick<Client, 'address'>

export type PasswordHasher = {
  /** An argon2id hash as a PHC string. Refuses with `Busy` when too many wait. */
  hash(password: string, from: From): Promise<string>
  /** False for a wrong password; takes the same time if `hash` is null. Refuses with `Busy`. */
  verify(hash: string | null, password: string, from: From): Promise<boolean>
}

export type Authenticator = {
  /** A new secret for an app: as text, as an `otpauth:` link, and encrypted for the database. */
  makeSecret(account: { userId: string; email: string; issuer: string }): {
    secret: string
    uri: string
    sealed: Uint8Array
  }
  /**
   * The time step of a six-digit code; null if it does not belong to these minutes. Throws if the
   * secret was sealed for another user, or with another key of the server.
   */
  stepOf(given: { userId: string; sealed: Uint8Array; code: string; now: Date }): bigint | null
}

/** What a browser answers for a new passkey; see `contract/operator/passkeys.ts`. */
export type PasskeyAnswer = {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    attestationObject: string
    transports?: string[] | undefined
  }
}

/** What a browser answers for a passkey that is used. */
export type PasskeyProof = {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | undefined
  }
}

export type PasskeyTransport =
  | 'ble'
  | 'cable'
  | 'hybrid'
  | 'internal'
  | 'nfc'
  | 'smart-card'
  | 'usb'

/** What is kept of a passkey. */
export type StoredPasskey = {
  /** As its authenticator names it, base64url. */
  credentialId: string
  /** COSE. */
  publicKey: Uint8Array
  counter: bigint
  transports: readonly PasskeyTransport[]
  isBackedUp: boolean
}

/** For what a browser makes a passkey, or signs with one (WebAuthn Level 3). */
export type PasskeyOptions = {
  creation: {
    rp: { id: string; name: string }
    user: { id: string; name: string; displayName: string }
    challenge: string
    pubKeyCredParams: { type: 'public-key'; alg: number }[]
    timeout: number
    attestation: 'none'
    excludeCredentials: { id: string; type: 'public-key'; transports: PasskeyTransport[] }[]
    authenticatorSelection: {
      residentKey: 'required'
      requireResidentKey: true
      userVerification: 'required'
    }
  }
  request: { challenge: string; rpId: string; timeout: number; userVerification: 'required' }
}

/** Whether a challenge, base64url, was ours and is now used up. */
export type TakeChallenge = (challenge: string) => Promise<boolean>

/** WebAuthn keys, which prove who signs in without a secret that could be given away. */
export type Passkeys = {
  /** `known` are the passkeys that the person already has. */
  creation(given: {
    challenge: string
    operator: { id: string; email: string; name: string }
    known: readonly Pick<StoredPasskey, 'credentialId' | 'transports'>[]
  }): PasskeyOptions['creation']
  request(challenge: string): PasskeyOptions['request']
  /** The new passkey; null if anything in the answer is wrong. */
  verifyNew(answer: PasskeyAnswer, take: TakeChallenge): Promise<StoredPasskey | null>
  /**
   * The authenticator's new counter; null if anything in the proof is wrong. The caller has to
   * check that the counter has grown, in one step with storing it.
   */
  verifyUsed(
    proof: PasskeyProof,
    passkey: Pick<StoredPasskey, 'publicKey'>,
    take: TakeChallenge,
  ): Promise<{ counter: bigint; isBackedUp: boolean } | null>
}

export type Try = { rule: RateRule; key: string }

export type RateLimits = {
  /**
   * Counts an attempt against a named rule for a key (an address, an account). Refuses with
   * `TooManyRequests`, and the time to wait, once the rule's limit is reached.
   */
  take(rule: RateRule, key: string): Promise<void>
  /** The same for several; those after the first refusal are not counted. */
  takeInOrder(tries: readonly Try[]): Promise<void>
  /** False once the limit is reached, for what is then left undone and not refused. */
  takeIfLeft(each: Try): Promise<boolean>
  /**
   * After a success: clears the attempts of `cleared`, and takes back one from each of `refunded`
   * that was not a guess, while other people's attempts stay counted. In the order of
   * `takeInOrder`.
   */
  restore(tries: { cleared?: readonly Try[]; refunded?: readonly Try[] }): Promise<void>
}

/** Where a call comes from, by its connection and headers. */
export type Client = {
  address: string
  userAgent: string
}

/**
 * Who makes a call, proved by an access token, with what every use case may need to know about the
 * user.
 */
export type Caller = FoundCaller & Pick<Client, 'address'>

export type FoundCaller = {
  userId: string
  sessionId: string
  user: { createdAt: Date; isEmailVerified: boolean; requiresPasswordChange: boolean }
}

/** Who makes an operator's call; see `use-cases/access/operator.ts`. */
export type FoundOperator = {
  kind: 'person' | 'key'
  id: string
  name: string
  role: Role | null
  sessionId: string | null
  permissions: readonly Permission[]
}

export type OperatorLookup = {
  /** The owner of the open session with a token; null if it has ended or was idle for too long. */
  findPerson(sessionToken: string): Promise<FoundOperator | null>
  /** The key of other software; null if it has ended or does not exist. */
  findKey(key: string): Promise<FoundOperator | null>
}

export type SessionLookup = {
  /** The owner of the open session with an access token; null if it has expired or ended. */
  find(accessToken: string): Promise<FoundCaller | null>
}
