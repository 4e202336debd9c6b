import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type { PageLanguage } from '#domain/language.ts'

/** `Uint8Array` is what both databases accept for `bytea`. */
export type AccountTables = {
  users: {
    id: string
    email: string
    password_hash: string
    first_name: string
    last_name: string
    nationality: string
    mobile: string | null
    language: Generated<PageLanguage>
    is_email_verified: Generated<boolean>
    requires_password_change: Generated<boolean>
    referrer_id: string | null
    created_at: Date
    erased_at: Date | null
  }
  sessions: {
    id: string
    user_id: string
    salt: Uint8Array
    generation: Generated<number>
    access_token_hash: Uint8Array
    access_expires_at: Date
    refresh_token_hash: Uint8Array
    refresh_expires_at: Date
    refreshed_at: Date | null
    previously_refreshed_at: Date | null
    started_at: Date
    last_used_at: Date
    user_agent: string
    address: string | null
    ended_at: Date | null
  }
  mailed_links: {
    id: string
    user_id: string
    purpose: LinkPurpose
    token_hash: Uint8Array
    created_at: Date
    expires_at: Date
    closed_at: Date | null
  }
  outbox_mails: {
    id: GeneratedAlways<bigint>
    /** Null if it is for an operator. */
    user_id: string | null
    kind: string
    params: JSONColumnType<Record<string, string>>
    unique_key: string | null
    created_at: ColumnType<Date, Date | undefined>
    attempts: Generated<number>
    next_attempt_at: Date | null
    claimed_until: Date | null
    claimed_by: string | null
    sent_at: Date | null
    dropped_at: Date | null
    is_given_up: Generated<boolean>
    last_fault: string | null
    recipient: string | null
    subject: string | null
    body_text: string | null
    body_html: string | null
    priority: GeneratedAlways<number>
  }
  rate_limits: {
    key: string
    points: number
    expire: bigint | null
  }
  two_factors: {
    /** Of a user or an operator. */
    account_id: string
    sealed_secret: Uint8Array
    created_at: Date
    confirmed_at: Date | null
    last_step: Generated<bigint>
  }
  recovery_codes: {
    account_id: string
    code_hash: Uint8Array
    used_at: Date | null
  }
  login_places: {
    user_id: string
    place_hash: Uint8Array
    network_hash: Uint8Array
    first_used_at: Date
    last_used_at: Date
  }
}

export type LinkPurpose = 'verify_email' | 'reset_password' | 'cancel_wallet'
