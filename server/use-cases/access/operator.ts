import type { Permission, Role } from '#domain/operators/permissions.ts'

/** Who makes an operator's call. */
export type Operator = {
  /**
   * A person in a session; other software by its key; or whoever has the server's one token, by
   * which a sale is run from the command line, and rescued when nobody can log in.
   */
  kind: 'person' | 'key' | 'token'
  /** Of the person or the key; null for the token. */
  id: string | null
  /** Of the person or the key; with the token what its user says, unproved, or null. */
  name: string | null
  /** Of a person; null for the others. */
  role: Role | null
  /** Of a person; null for the others. */
  sessionId: string | null
  permissions: readonly Permission[]
  /** Where the call comes from. */
  address: string
  /** Of an act that a second person has approved: which approval it is, and by whom. */
  approval?: { id: string; by: string }
}
