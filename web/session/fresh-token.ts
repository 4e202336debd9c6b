import { authContract } from '#contract/auth.ts'
import type { SessionTokens } from '#contract/shapes.ts'
import { call } from '#web/lib/call.ts'
import { CallError } from '#web/lib/call-error.ts'

const REFRESH_TIMEOUT_MS = 15_000
const TRIES = 3
const PAUSE_MS = 800

/** What the refresh needs of the session around it. */
export interface TokenHolder {
  /** The newest tokens, those of other tabs included; null when logged out. */
  read: () => SessionTokens | null
  replace: (tokens: SessionTokens) => void
  /** The session cannot go on. */
  end: () => void
  nowMs: () => number
  pause: (durationMs: number) => Promise<void>
  /** Runs one task at a time among all tabs. */
  exclusively: <T>(task: () => Promise<T>) => Promise<T>
}

/**
 * Hands out an access token that is good now. A missing, expired or just refused one is traded in
 * first; however many ask at once, one refresh runs. Where that fails the session ends and the
 * promise is rejected with a 401.
 */
export function createFreshToken(holder: TokenHolder): (refused?: string) => Promise<string> {
  let running: Promise<string> | null = null

  function good(refused: string | undefined): string | null {
    const access = holder.read()?.access
    if (access === undefined || access.token === refused) return null
    return isOver(access.expires, holder.nowMs()) ? null : access.token
  }

  async function refresh(refused: string | undefined): Promise<string> {
    return holder.exclusively(async () => {
      const alreadyFresh = good(refused)
      if (alreadyFresh !== null) return alreadyFresh
      const refreshToken = holder.read()?.refresh
      if (refreshToken === undefined || isOver(refreshToken.expires, holder.nowMs())) {
        holder.end()
        throw unauthenticated()
      }
      try {
        const tokens = await trade(refreshToken.token, holder.pause)
        holder.replace(tokens)
        return tokens.access.token
      } catch (error) {
        holder.end()
        throw unauthenticated(error)
      }
    })
  }

  return async (refused) => {
    const token = good(refused)
    if (token !== null) return token
    running ??= refresh(refused).finally(() => (running = null))
    return running
  }
}

/** A server that restarts is asked again before the session is given up; the server allows it. */
async function trade(refreshToken: string, pause: TokenHolder['pause']): Promise<SessionTokens> {
  for (let tried = 1; ; tried += 1) {
    try {
      const input = { body: { refresh_token: refreshToken } }
      return await call(authContract.refreshTokens, input, { timeoutMs: REFRESH_TIMEOUT_MS })
    } catch (error) {
      const isRefused = error instanceof CallError && error.code < 500
      if (isRefused || tried === TRIES) throw error
      await pause(PAUSE_MS * tried)
    }
  }
}

function isOver(expires: string, nowMs: number): boolean {
  return new Date(expires).getTime() <= nowMs
}

export function unauthenticated(cause?: unknown): CallError {
  return new CallError(
    { code: 401, message: 'Log in to continue', reason: 'Unauthenticated' },
    cause,
  )
}
