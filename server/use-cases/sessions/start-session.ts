import { Refusal } from '#domain/refusal.ts'
import { insertSession } from '#server/database/accounts/sessions.ts'
import type { NamedStatements } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/ports/security.ts'
import { LOCATIONS_MAX, locationOf } from './known-locations.ts'
import { type IssuedTokens, issueTokens } from '#server/use-cases/access/session-tokens.ts'
import type { StoredAccount } from '#server/use-cases/access/user-account.ts'

/** A user who has just started a session, and its tokens. */
export type LoggedIn = { account: StoredAccount; tokens: IssuedTokens }

/** Whose password was just found to be right, and whether two-factor login was proved as well. */
export type ProvedUser = { userId: string; passwordHash: string; isProved: boolean }

/**
 * Opens a session for a user who has just proved their identity, and mails them if it is from a new
 * location. Refuses with `WrongCredentials` if the password was changed or the account erased
 * meanwhile, and with `TwoFactorRequired` if that is on and `isProved` is not set.
 */
export async function startSession(
  { clock, random, settings }: Services,
  statements: NamedStatements,
  { userId, ...proved }: ProvedUser,
  client: Client,
): Promise<IssuedTokens> {
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
    user_agent: client.userAgent,
    address: client.address,
  }
  const location = locationOf(settings.secretKey, client)
  const given = { ...proved, placesMax: LOCATIONS_MAX }
  const outcome = await insertSession(statements, session, location, given)
  if (outcome === 'two_factor_required') throw new Refusal('TwoFactorRequired')
  if (outcome === 'wrong_credentials') throw new Refusal('WrongCredentials')
  return tokens
}
