import { connectionOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import {
  endUserSession,
  lockSession,
  type SessionRow,
  updateSessionTokens,
} from '#server/database/accounts/sessions.ts'
import { findUser } from '#server/database/accounts/users.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Client, Try } from '#server/ports/security.ts'
import {
  accessTokenOf,
  type IssuedTokens,
  isRefreshTokenOf,
  issueTokens,
  readRefreshToken,
  refreshTokenOf,
} from '#server/use-cases/access/session-tokens.ts'

/** How long a used token still gives its successor, for two tabs at once or a lost reply. */
const REPEAT_GRACE_MS = 30_000

/**
 * Trades a refresh token for its successors. A token that was used before ends its session, since
 * one of the two who hold it may be a thief, and the user gets a mail.
 */
export async function refreshSession(services: Services, refreshToken: string, client: Client) {
  await services.limits.take('refresh_by_address', connectionOf(client.address))
  const claimed = readRefreshToken(refreshToken)
  if (claimed === null) throw new Refusal('RefreshTokenInvalid')

  const traded = await services.database.transaction().execute(async (transaction) => {
    const session = await lockSession(transaction, claimed.sessionId)
    if (session === null) return null
    const source = { ...claimed, salt: session.salt }
    if (!isRefreshTokenOf(services.settings.secretKey, source, refreshToken)) return null
    return tradeToken(services, transaction, session, claimed.generation, client)
  })
  if (traded === null) throw new Refusal('RefreshTokenInvalid')
  if ('reused' in traded) {
    await endReusedSession(services, traded.reused)
    throw new Refusal('RefreshTokenInvalid')
  }
  return traded
}

async function tradeToken(
  services: Services,
  transaction: DatabaseTransaction,
  session: SessionRow,
  generation: number,
  client: Client,
): Promise<IssuedTokens | { reused: SessionRow } | null> {
  const now = services.clock.now()
  if (session.ended_at !== null || session.refresh_expires_at <= now) return null
  if (generation === session.generation) return rotate(services, transaction, session, now, client)

  const usedAt = whenUsed(session, generation)
  const usedForMs = now.getTime() - (usedAt?.getTime() ?? 0)
  if (usedForMs <= REPEAT_GRACE_MS) return currentTokens(services, session)
  return { reused: session }
}

/** When the token of an earlier generation was used; null if that is long ago. */
function whenUsed(session: SessionRow, generation: number): Date | null {
  const generationsAgo = session.generation - generation
  if (generationsAgo === 1) return session.refreshed_at
  return generationsAgo === 2 ? session.previously_refreshed_at : null
}

async function rotate(
  services: Services,
  transaction: DatabaseTransaction,
  session: SessionRow,
  now: Date,
  { address }: Client,
): Promise<IssuedTokens> {
  const source = {
    sessionId: session.id,
    generation: session.generation + 1,
    salt: session.salt,
    startedAt: session.started_at,
  }
  const { tokens, columns } = issueTokens(services.settings.secretKey, source, now)
  await updateSessionTokens(transaction, session.id, { ...columns, address }, now)
  return tokens
}

function currentTokens(services: Services, session: SessionRow): IssuedTokens {
  const { secretKey } = services.settings
  const source = { sessionId: session.id, generation: session.generation, salt: session.salt }
  return {
    access: { token: accessTokenOf(secretKey, source), expiresAt: session.access_expires_at },
    refresh: { token: refreshTokenOf(secretKey, source), expiresAt: session.refresh_expires_at },
  }
}

/** Whoever has registered with a stranger's address could otherwise flood it with these mails. */
async function endReusedSession(services: Services, session: SessionRow): Promise<void> {
  const { clock, database, limits, log } = services
  const { id: sessionId, user_id: userId } = session
  const user = await findUser(database, userId)
  if (user === null) return
  const mail: Try = { rule: 'session_reused_by_account', key: user.email }
  // Not in the transaction, which would wait for the count of others.
  const isMailed = await limits.takeIfLeft(mail)
  const isEnded = await database.transaction().execute(async (transaction) => {
    const at = clock.now()
    if (!(await endUserSession(transaction, userId, sessionId, at))) return false
    if (!isMailed) return true
    const params = { session_id: sessionId }
    const uniqueKey = `session_reused:${sessionId}`
    await enqueueMail(transaction, { userId, kind: 'session_reused', params, uniqueKey, at })
    return true
  })
  if (isEnded) {
    log.warn(
      { sessionId, userId },
      'A refresh token was used a second time; its session has been ended',
    )
  } else if (isMailed) await limits.restore({ refunded: [mail] })
}
