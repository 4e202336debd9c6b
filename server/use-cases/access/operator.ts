import type { Permission, Role } from '#domain/operators/permissions.ts'

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
