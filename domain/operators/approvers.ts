import { type Permission, type Role, roles } from './permissions.ts'

/** `person`: who asked for an act, or made the key that did; null for the server's token. */
export type AskedFor = { permission: Permission; person: string | null }

/**
 * Whether anybody of a team could approve an act: somebody who may do it themselves, and neither
 * asked for it nor made the key that did.
 */
export function hasApprover(
  team: readonly { id: string; role: Role }[],
  { permission, person }: AskedFor,
): boolean {
  return team.some(({ id, role }) => {
    const allowed: readonly Permission[] = roles[role]
    return allowed.includes(permission) && id !== person
  })
}
