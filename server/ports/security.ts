import type { Permission, Role } from '#domain/operators/permissions.ts'

export type PasswordHasher = {
  /** An argon2id hash as a PHC string. Refuses with `Busy` when too many wait. */
  hash(password: string): Promise<string>
  /** False for a wrong password; takes the same time if `hash` is null. */
  verify(hash: string | null, password: string): Promise<boolean>
}

export type Authenticator = {
  /** A new secret for an app: as text, as an `otpauth:` link, and encrypted for the database. */
  makeSecret(account: { userId: string; email: string; issuer: string }): {
    secret: string
    uri: string
    sealed: Uint8Array
  }
  /**
   * The time step that a code of six digits belongs to; null if it is none of these minutes. Throws
   * where the secret was sealed for another user, or with another key of the server.
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

/** Keys of WebAuthn, which prove who signs in without a secret that could be told to anybody. */
export type Passkeys = {
  /** Who may make them: a person with a name for it. `known` are those that they have. */
  creation(given: {
    challenge: string
    operator: { id: string; email: string; name: string }
    known: readonly Pick<StoredPasskey, 'credentialId' | 'transports'>[]
  }): PasskeyOptions['creation']
  request(challenge: string): PasskeyOptions['request']
  /** The new passkey; null if anything of the answer is not right. */
  verifyNew(answer: PasskeyAnswer, take: TakeChallenge): Promise<StoredPasskey | null>
  /**
   * What the authenticator now counts; null if anything of the proof is not right. Whether the
   * counter has grown is for the caller to see to, in one step with storing it.
   */
  verifyUsed(
    proof: PasskeyProof,
    passkey: Pick<StoredPasskey, 'publicKey'>,
    take: TakeChallenge,
  ): Promise<{ counter: bigint; isBackedUp: boolean } | null>
}

/** Each rule counts tries by the key in its name. */
export type RateRule =
  | 'register_by_address'
  | 'register_taken_by_address'
  | 'login_by_address'
  | 'login_by_account_and_address'
  | 'login_by_account'
  | 'login_by_account_and_network'
  | 'code_by_login'
  | 'code_by_login_and_day'
  | 'code_by_user'
  | 'code_by_user_and_day'
  | 'refresh_by_address'
  | 'forgot_by_address'
  | 'forgot_cooldown'
  | 'forgot_by_account'
  | 'verification_cooldown'
  | 'verification_by_user'
  | 'link_by_address'
  | 'link_by_user'
  | 'password_by_user'
  | 'password_by_user_and_day'
  | 'operator_by_address'
  | 'operator_by_id'
  | 'record_by_operator'
  | 'operator_wrong_by_address'
  | 'operator_sign_in_by_address'
  | 'operator_sign_in_by_account_and_address'
  | 'operator_sign_in_by_account'
  | 'operator_invitation_by_address'
  | 'export_by_user'
  | 'refund_address_by_user'
  | 'refund_claim_by_user'
  | 'wallet_message_by_user'
  | 'wallet_set_by_user'
  | 'webhook_by_address'
  | 'webhook_wrong_by_address'
  | 'webhook_by_hand'

export type Try = { rule: RateRule; key: string }

export type RateLimits = {
  /**
   * Counts one try against a named rule for a key (an address, an account). Throws the
   * `TooManyRequests` refusal, with the time to wait, once the rule's number is reached.
   */
  take(rule: RateRule, key: string): Promise<void>
  /** The same for several, of which those after the first refusal are not counted. */
  takeInOrder(tries: readonly Try[]): Promise<void>
  /**
   * After a success: resets the tries of `cleared`, and takes one back of each of `refunded` that
   * was no guess, where what others tried stays counted. In that order, which is that of
   * `takeInOrder`.
   */
  restore(tries: { cleared?: readonly Try[]; refunded?: readonly Try[] }): Promise<void>
}

/** Who makes a call, proved by an access token, with what every use case may need of the user. */
export type Caller = {
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
  /** Whose open session a token belongs to; null if it has ended or was idle for too long. */
  findPerson(sessionToken: string): Promise<FoundOperator | null>
  /** The key of other software; null if it has ended or is none. */
  findKey(key: string): Promise<FoundOperator | null>
}

export type SessionLookup = {
  /** Whose open session an access token belongs to; null if it has expired or ended. */
  find(accessToken: string): Promise<Caller | null>
}
