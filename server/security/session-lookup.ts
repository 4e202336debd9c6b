import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import { listOpenSessions, type OpenSession } from '#server/database/accounts/sessions.ts'
import { createBatcher } from '#server/runtime/batcher.ts'
import type { Clock } from '#server/ports/runtime.ts'
import type { FoundCaller, SessionLookup } from '#server/ports/security.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'

const BATCH_MAX = 200
const WAITING_MAX = 20_000

export function createSessionLookup(
  open: Pick<OpenDatabase, 'runNamed'>,
  clock: Clock,
): SessionLookup {
  const findInBatch = createBatcher<Uint8Array, FoundCaller | null>({
    batchMax: BATCH_MAX,
    waitingMax: WAITING_MAX,
    run: async (hashes) => {
      const sessions = await listOpenSessions(open, hashes, clock.now())
      const byHash = new Map(
        sessions.map((session) => [hexOf(session.access_token_hash), callerOf(session)]),
      )
      return hashes.map((hash) => byHash.get(hexOf(hash)) ?? null)
    },
  })
  return { find: (accessToken) => findInBatch(hashToken(accessToken)) }
}

function callerOf(session: OpenSession): FoundCaller {
  return {
    userId: session.user_id,
    sessionId: session.id,
    user: {
      createdAt: session.created_at,
      isEmailVerified: session.is_email_verified,
      requiresPasswordChange: session.requires_password_change,
    },
  }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
