import { hash, randomBytes, randomUUID } from 'node:crypto'

import type { Approval } from '#contract/operator/approvals.ts'
import type { Permission, Role } from '#domain/operators/permissions.ts'
import { API_KEY_PREFIX, SESSION_TTL_MS } from '#server/use-cases/access/operator.ts'
import type { CallOptions, Reply } from '#tests/kit/servers/client.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

export type OperatorPerson = {
  id: string
  sessionId: string
  email: string
  name: string
  role: Role
  /** The value of the header `Cookie`. */
  cookie: string
  /** The options that make a call as this person. */
  as: CallOptions
}

let count = 0

/**
 * Puts an operator with an open session into the database, without a second factor or a password:
 * tests of those begin with an invitation.
 */
export async function anOperatorPerson(
  { open: { database }, clock }: Pick<TestApp, 'open' | 'clock'>,
  role: Role,
  name = `Olga ${(count += 1)}`,
): Promise<OperatorPerson> {
  const now = clock.now()
  const person = { id: randomUUID(), email: `${randomUUID()}@operators.example.com`, name, role }
  await database
    .insertInto('operators')
    .values({ ...person, password_hash: 'none', created_at: now, removed_at: null })
    .execute()
  const token = randomBytes(32).toString('base64url')
  const sessionId = randomUUID()
  await database
    .insertInto('operator_sessions')
    .values({
      id: sessionId,
      operator_id: person.id,
      token_hash: hash('sha256', token, 'buffer'),
      started_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + SESSION_TTL_MS),
      ended_at: null,
      user_agent: 'A test',
      address: '127.0.0.1',
    })
    .execute()
  const cookie = `operator-session=${token}`
  return { ...person, sessionId, cookie, as: { headers: { cookie } } }
}

const DAY_MS = 24 * 60 * 60_000

/** The same, in a session that lasts while a test lets days pass. */
export async function aColleague(
  app: Pick<TestApp, 'open' | 'clock'>,
  name: string,
  role: Role = 'finance',
): Promise<OperatorPerson> {
  const person = await anOperatorPerson(app, role, name)
  const far = new Date(app.clock.now().getTime() + 30 * DAY_MS)
  await app.open.database
    .updateTable('operator_sessions')
    .set({ last_used_at: far, expires_at: far })
    .where('id', '=', person.sessionId)
    .execute()
  return person
}

/** How software calls with a key that a person gave it. */
export async function aKeyOf(
  { open, clock }: Pick<TestApp, 'open' | 'clock'>,
  maker: Pick<OperatorPerson, 'id'>,
  permissions: readonly Permission[],
): Promise<CallOptions> {
  const [now, key] = [clock.now(), `${API_KEY_PREFIX}${randomBytes(24).toString('base64url')}`]
  await open.database
    .insertInto('api_keys')
    .values({
      id: randomUUID(),
      name: 'books',
      prefix: key.slice(0, 12),
      key_hash: hash('sha256', key, 'buffer'),
      permissions,
      created_by: maker.id,
      created_at: now,
      expires_at: new Date(now.getTime() + 30 * DAY_MS),
      last_used_at: null,
    })
    .execute()
  return { accessToken: key }
}

/** What a call waits for; throws if it did not have to wait. */
export function waitOf({ status, body }: Reply<unknown>): Approval {
  if (status !== 202) throw new Error(`The call did not wait: it replied ${status}.`)
  return (body as { approval: Approval }).approval
}
