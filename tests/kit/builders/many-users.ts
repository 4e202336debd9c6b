import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '#server/database/tables/tables.ts'

export type SeededUser = { id: string; as: { accessToken: string } }

const HOUR_MS = 3_600_000

/**
 * Logged-in users, written straight into the tables: registering hundreds would spend the test's
 * time on hashing passwords.
 */
export async function manyUsers(database: Database, count: number): Promise<SeededUser[]> {
  const now = new Date()
  const later = new Date(now.getTime() + HOUR_MS)
  const users = Array.from({ length: count }, () => {
    const id = randomUUID()
    return { id, as: { accessToken: `access-${id}` } }
  })
  await database
    .insertInto('users')
    .values(
      users.map(({ id }) => ({
        id,
        email: `${id}@example.com`,
        password_hash: '',
        first_name: 'Grace',
        last_name: 'Hopper',
        nationality: 'US',
        mobile: null,
        referrer_id: null,
        created_at: now,
        erased_at: null,
      })),
    )
    .execute()
  await database
    .insertInto('sessions')
    .values(
      users.map(({ id, as }) => ({
        id: randomUUID(),
        user_id: id,
        salt: new Uint8Array(),
        access_token_hash: sha256(as.accessToken),
        access_expires_at: later,
        refresh_token_hash: sha256(`refresh-${id}`),
        refresh_expires_at: later,
        started_at: now,
        last_used_at: now,
        user_agent: 'test',
      })),
    )
    .execute()
  return users
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
