import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type { Usd } from '#domain/money.ts'
import type { ApprovalState } from '#domain/operators/approval-states.ts'
import type { Permission, Role } from '#domain/operators/permissions.ts'
import type { WebhookEvent } from '#domain/operators/webhook-events.ts'

export type OperatorTables = {
  /** Somebody who runs the sale. Never deleted, so that what they did keeps their name. */
  operators: {
    id: string
    email: string
    name: string
    role: Role
    /** Argon2id. */
    password_hash: string
    created_at: Date
    /** From then on they cannot sign in. */
    removed_at: Date | null
  }
  operator_sessions: {
    id: string
    operator_id: string
    token_hash: Uint8Array
    started_at: Date
    last_used_at: Date
    expires_at: Date
    ended_at: Date | null
    user_agent: string
    address: string
  }
  /** A link that lets somebody in: somebody new, or somebody whose factors were reset. */
  operator_invitations: {
    id: string
    /** A new id for somebody new, or the existing one of somebody whose factors were reset. */
    operator_id: string
    email: string
    role: Role
    token_hash: Uint8Array
    /** Of the authenticator app that is being set up. */
    sealed_secret: Uint8Array | null
    invited_by: string | null
    created_at: Date
    expires_at: Date
    accepted_at: Date | null
    withdrawn_at: Date | null
  }
  operator_passkeys: {
    id: string
    operator_id: string
    /** As the authenticator names it, base64url. */
    credential_id: string
    /** COSE. */
    public_key: Uint8Array
    counter: bigint
    transports: readonly string[]
    is_backed_up: boolean
    name: string
    created_at: Date
    last_used_at: Date | null
  }
  passkey_challenges: {
    challenge_hash: Uint8Array
    purpose: ChallengePurpose
    /** The invitation or the session that it was made for; null for a sign-in. */
    bound_to: string | null
    expires_at: Date
  }
  operator_security_events: {
    id: GeneratedAlways<bigint>
    /** Null if an attempt named nobody known. */
    operator_id: string | null
    at: Date
    kind: SecurityEventKind
    address: string
    user_agent: string
    details: JSONColumnType<Record<string, string>>
  }
  /** With these, other software makes operators' calls. */
  api_keys: {
    id: string
    name: string
    /** The first characters of the key, by which people recognise it. */
    prefix: string
    key_hash: Uint8Array
    permissions: readonly Permission[]
    created_by: string | null
    created_at: Date
    expires_at: Date
    last_used_at: Date | null
    ended_at: Generated<Date | null>
  }
  /** Where other software is notified of what happens in the sale. */
  webhook_endpoints: {
    id: string
    url: string
    description: string
    events: readonly WebhookEvent[]
    sealed_secret: Uint8Array
    /** Also signs, until then. */
    sealed_former_secret: Generated<Uint8Array | null>
    former_secret_until: Generated<Date | null>
    created_at: Date
    last_delivered_at: Generated<Date | null>
    failing_since: Generated<Date | null>
    disabled_at: Generated<Date | null>
    disabled_by: Generated<'operator' | 'receiver' | null>
    ended_at: Generated<Date | null>
  }
  /** Written by triggers on the tables that hold the facts, and by hand for a test. */
  webhook_events: {
    id: GeneratedAlways<bigint>
    message_id: Generated<string>
    type: string
    subject: string | null
    data: JSONColumnType<Record<string, string>>
    at: Date
  }
  webhook_deliveries: {
    id: GeneratedAlways<bigint>
    endpoint_id: string
    event_id: bigint
    subject: string | null
    state: Generated<'waiting' | 'delivered' | 'given_up'>
    attempts: Generated<number>
    next_attempt_at: Date | null
    claimed_until: Date | null
    claimed_by: string | null
    last_attempt_at: Date | null
    last_status: number | null
    last_fault: string | null
    delivered_at: Date | null
  }
  stage_openings: {
    stage_id: string
    at: Date
  }
  /** An act that waits, or has waited, for a second person. */
  approvals: {
    id: string
    act: string
    input: JSONColumnType<Record<string, unknown>>
    hash: Uint8Array
    summary: string
    about: string | null
    purchase_id: string | null
    usd: Usd | null
    permission: Permission
    asked_kind: 'person' | 'key' | 'token'
    /** Null if it was asked for with the server's token. */
    asked_by: string | null
    asked_name: string
    asked_address: string
    asked_person: string | null
    asked_at: Date
    expires_at: Date
    state: Generated<ApprovalState>
    decided_by: Generated<string | null>
    decided_name: Generated<string | null>
    decided_at: Generated<Date | null>
    reason: Generated<string | null>
  }
  /** The head of the chain of operators' acts. */
  audit_head: {
    id: Generated<number>
    number: bigint
    hash: Uint8Array
    at: Date
    seal: Uint8Array
  }
  inbox_owners: { kind: string; item_id: string; operator_id: string; since: Date }
  inbox_closed: { kind: string; item_id: string; reason: string; at: Date }
}

export type ChallengePurpose = 'sign_in' | 'accept' | 'add'

export type SecurityEventKind =
  | 'accepted'
  | 'signed_in'
  | 'sign_in_failed'
  | 'invitation_refused'
  | 'passkey_refused'
  | 'passkey_copied'
  | 'passkey_added'
  | 'passkey_removed'
  | 'authenticator_on'
  | 'authenticator_off'
  | 'recovery_codes_renewed'
  | 'password_changed'
  | 'session_ended'
  | 'factors_reset'
  | 'role_changed'
  | 'removed'
