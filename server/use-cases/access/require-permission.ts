import { type Permission, permissionTexts } from '#domain/operators/permissions.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Operator } from './operator.ts'

/** Refuses with `PermissionMissing`, which names the missing permission. */
export function requirePermission(operator: Operator, permission: Permission): void {
  if (operator.permissions.includes(permission)) return
  const who = operator.kind === 'key' ? 'This key' : `Your role, ${operator.role ?? 'none'},`
  throw new Refusal('PermissionMissing', {
    message: `${who} does not let you ${permissionTexts[permission]} (${permission})`,
  })
}
