import { type Permission, permissionTexts, type Role } from '#domain/operators/permissions.ts'
import { Refusal } from '#domain/refusal.ts'
import { findOperatorSession } from '#server/database/operators/operator-sessions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'

const MINUTE_MS = 60_000

/** An operator's session ends after this long without use. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS

/** And after this long, however much it is used. */
export const SESSION_TTL_MS = 12 * 60 * MINUTE_MS

/** API keys begin with this, so that people and secret scanners recognise them. */
export const API_KEY_PREFIX = 'presale_'

/** Who makes an operator's call. */
export type Operator = {
  /**
   * A person in a session, other software with its key, or whoever has the server's one token, with
   * which a sale is run from the command line and rescued when nobody can log in.
   */
  kind: 'person' | 'key' | 'token'
  /** Of the person or the key; null for the token. */
  id: string | null
  /** Of the person or the key; with the token, the unverified name that its user gives, or null. */
  name: string | null
  /** Of a person; null for the others. */
  role: Role | null
  /** Of a person; null for the others. */
  sessionId: string | null
  permissions: readonly Permission[]
  /** Where the call comes from. */
  address: string
  /** If a second person has approved the act: which approval it is, and who gave it. */
  approval?: { id: string; by: string }
}

/** Names the permission that an operator lacks for an act; null if they have it. */
export function missingPermission(operator: Operator, permission: Permission): Refusal | null {
  if (operator.permissions.includes(permission)) return null
  const who = operator.kind === 'key' ? 'This key' : `Your role, ${operator.role ?? 'none'},`
  return new Refusal('PermissionMissing', {
    message: `${who} does not let you ${permissionTexts[permission]} (${permission})`,
  })
}

/** Refuses with `PermissionMissing`. */
export function requirePermission(operator: Operator, permission: Permission): void {
  const missing = missingPermission(operator, permission)
  if (missing !== null) throw missing
}

/** Refuses with `Unauthenticated` a person whose session has ended since the call began. */
export async function requireOpenSession(
  transaction: DatabaseTransaction,
  { kind, sessionId }: Operator,
): Promise<void> {
  if (kind !== 'person' || sessionId === null) return
  const session = await findOperatorSession(transaction, sessionId)
  if (session?.ended_at !== null) throw new Refusal('Unauthenticated')
}
