import { randomUUID } from 'node:crypto'

import { type Role, roleNames } from '#domain/operators/permissions.ts'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'

const DAY_MS = 24 * 60 * 60_000

/** Puts a person of each role into the server's database, and gives their sessions' cookies. */
export async function addOperatorSessions(databaseUrl: string): Promise<ReadonlyMap<Role, string>> {
  const open = await openDatabase({ kind: 'postgres', url: databaseUrl })
  try {
    const now = new Date()
    const cookies = new Map<Role, string>()
    for (const role of roleNames) {
      const id = randomUUID()
      const token = `a-session-of-the-role-${role}-${id}`
      await open.database
        .insertInto('operators')
        .values({
          id,
          email: `${role}@operators.example`,
          name: `The ${role}`,
          role,
          password_hash: 'none',
          created_at: now,
        })
        .execute()
      await open.database
        .insertInto('operator_sessions')
        .values({
          id: randomUUID(),
          operator_id: id,
          token_hash: hashToken(token),
          started_at: now,
          last_used_at: now,
          expires_at: new Date(now.getTime() + DAY_MS),
          user_agent: 'prove',
          address: '127.0.0.1',
        })
        .execute()
      cookies.set(role, `operator-session=${token}`)
    }
    return cookies
  } finally {
    await open.close()
  }
}
