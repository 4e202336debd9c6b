import { type Permission, type Role, roles } from './permissions.ts'

/** Who asked for an act: null for the server's token. `person`: themselves, or a key's maker. */
export type AskedFor = { permission: Permission; by: string | null; person: string | null }

/**
 * Whether anybody of a team could approve an act: somebody who may do it themselves, and neither
 * asked for it nor made the key that did.
 */
export function hasApprover(
  team: readonly { id: string; role: Role }[],
  { permission, by, person }: AskedFor,
): boolean {
  return team.some(({ id, role }) => {
    const allowed: readonly Permission[] = roles[role]
    return allowed.includes(permission) && id !== by && id !== person
  })
}
