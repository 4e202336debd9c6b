import { keyPermissions, permissions, roles } from '#domain/operators/permissions.ts'
import { touchApiKey, touchOperatorSession } from '#server/database/operators/operator-callers.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { Clock } from '#server/ports/runtime.ts'
import type { OperatorLookup } from '#server/ports/security.ts'
import { SESSION_IDLE_MS } from '#server/use-cases/access/operator.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'

export function createOperatorLookup(database: Database, clock: Clock): OperatorLookup {
  return {
    async findPerson(sessionToken) {
      const found = await touchOperatorSession(database, hashToken(sessionToken), {
        now: clock.now(),
        idleMs: SESSION_IDLE_MS,
      })
      if (found === null) return null
      const { operatorId: id, sessionId, name, role } = found
      return { kind: 'person', id, sessionId, name, role, permissions: roles[role] }
    },
    async findKey(key) {
      const found = await touchApiKey(database, hashToken(key), clock.now())
      if (found === null) return null
      const { id, name } = found
      // No more than its maker may by now, and without permissions that this version does not know.
      const ofMaker = found.makerRole === null ? permissions : roles[found.makerRole]
      const allowed = keyPermissions.filter(
        (each) => found.permissions.includes(each) && ofMaker.includes(each),
      )
      return { kind: 'key', id, sessionId: null, name, role: null, permissions: allowed }
    },
  }
}
