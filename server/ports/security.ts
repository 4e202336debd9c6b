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
   * The time step that a code of six digits belongs to; null where it is none of these minutes.
   * Throws where the secret was sealed for another user, or with another key of the server.
   */
  stepOf(given: { userId: string; sealed: Uint8Array; code: string; now: Date }): bigint | null
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
  | 'operator_wrong_by_address'
  | 'export_by_user'
  | 'webhook_by_address'
  | 'webhook_wrong_by_address'

export type RateLimits = {
  /**
   * Counts one try against a named rule for a key (an address, an account). Throws the
   * `TooManyRequests` refusal, with the time to wait, once the rule's number is reached.
   */
  take(rule: RateRule, key: string): Promise<void>
  /** Resets the tries, after a success. */
  clear(rule: RateRule, key: string): Promise<void>
  /** Takes one try back that was no guess; what others tried stays counted. */
  refund(rule: RateRule, key: string): Promise<void>
}

/** Who makes a call, proved by an access token, with what every use case may need of the user. */
export type Caller = {
  userId: string
  sessionId: string
  user: { createdAt: Date; isEmailVerified: boolean; requiresPasswordChange: boolean }
}

export type SessionLookup = {
  /** Whose open session an access token belongs to; null where it has expired or ended. */
  find(accessToken: string): Promise<Caller | null>
}
