import { Refusal } from '#domain/refusal.ts'
import { insertSession } from '#server/database/accounts/sessions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import { enqueueSessionMail, LOCATIONS_MAX, locationOf } from './known-locations.ts'
import { type IssuedTokens, issueTokens } from '#server/use-cases/access/session-tokens.ts'
import type { UserAccount } from '#server/use-cases/access/user-account.ts'

/** A user who has just started a session, and its tokens. */
export type LoggedIn = { user: UserAccount; tokens: IssuedTokens }

const USER_AGENT_LENGTH_MAX = 300

/**
 * Opens a session for a user who has just proved their identity, and mails them if it is from a new
 * location. Refuses with `TwoFactorRequired` if that is on and `isProved` is not set.
 */
export async function startSession(
  services: Services,
  transaction: DatabaseTransaction,
  { userId, isProved }: { userId: string; isProved: boolean },
  client: Client,
): Promise<IssuedTokens> {
  const { clock, random, settings } = services
  const now = clock.now()
  const salt = Buffer.from(random.token(), 'base64url')
  const source = { sessionId: random.id(), generation: 0, salt, startedAt: now }
  const { tokens, columns } = issueTokens(settings.secretKey, source, now)
  const session = {
    ...columns,
    id: source.sessionId,
    user_id: userId,
    salt: source.salt,
    started_at: now,
    user_agent: client.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    address: client.address,
  }
  const location = locationOf(settings.secretKey, client)
  const bounds = { keptMax: LOCATIONS_MAX, isProved }
  const started = await insertSession(transaction, session, location, bounds)
  if (started === null) throw new Refusal('TwoFactorRequired')
  if (started.isNewPlace) {
    await enqueueSessionMail(transaction, 'new_login', userId, source.sessionId, now)
  }
  return tokens
}
