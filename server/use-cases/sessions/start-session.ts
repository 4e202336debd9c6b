import { insertSession } from '#server/database/accounts/sessions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import { rememberLogin } from './known-locations.ts'
import { type IssuedTokens, issueTokens } from '#server/use-cases/access/session-tokens.ts'
import type { UserAccount } from '#server/use-cases/access/user-account.ts'

/** Who has just begun a session, and the tokens of it. */
export type LoggedIn = { user: UserAccount; tokens: IssuedTokens }

const USER_AGENT_LENGTH_MAX = 300

/** Opens a session for a user who has just proved to be one. */
export async function startSession(
  services: Services,
  transaction: DatabaseTransaction,
  userId: string,
  client: Client,
): Promise<IssuedTokens> {
  const now = services.clock.now()
  const salt = Buffer.from(services.random.token(), 'base64url')
  const source = { sessionId: services.random.id(), generation: 0, salt, startedAt: now }
  const { tokens, columns } = issueTokens(services.settings.secretKey, source, now)
  await insertSession(transaction, {
    ...columns,
    id: source.sessionId,
    user_id: userId,
    salt: source.salt,
    started_at: now,
    user_agent: client.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    address: client.address,
  })
  await rememberLogin(services, transaction, { userId, sessionId: source.sessionId }, client)
  return tokens
}
