import { authContract } from '#contract/auth.ts'
import type { SessionTokens } from '#contract/shapes.ts'
import { call } from '#web/lib/call.ts'
import { CallError } from '#web/lib/call-error.ts'
import { whenOnline } from './when-online.ts'

const REFRESH_TIMEOUT_MS = 15_000
const TRIES = 4
const PAUSE_MS = 800

/** What the refresh needs of the session around it. */
export interface TokenHolder {
  /** The newest tokens, those of other tabs included; null where the session is over. */
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

  function readTokens(): SessionTokens {
    const tokens = holder.read()
    if (tokens === null) throw unauthenticated()
    return tokens
  }

  function isGood({ access }: SessionTokens, refused: string | undefined): boolean {
    return access.token !== refused && !isOver(access.expires, holder.nowMs())
  }

  async function refresh(refused: string | undefined): Promise<string> {
    return holder.exclusively(async () => {
      const before = readTokens()
      if (isGood(before, refused)) return before.access.token
      if (isOver(before.refresh.expires, holder.nowMs())) {
        holder.end()
        throw unauthenticated()
      }
      holder.replace(await tradeOrEnd(before.refresh.token))
      // Nobody may be logged in any more.
      return readTokens().access.token
    })
  }

  async function tradeOrEnd(refreshToken: string): Promise<SessionTokens> {
    try {
      return await trade(refreshToken, holder.pause)
    } catch (error) {
      holder.end()
      throw unauthenticated(error)
    }
  }

  return async (refused) => {
    const tokens = readTokens()
    if (isGood(tokens, refused)) return tokens.access.token
    running ??= refresh(refused).finally(() => (running = null))
    return running
  }
}

/**
 * A server that restarts is asked again before the session is given up; the server allows it. While
 * the device itself knows that it has no network, nothing is asked and nothing given up.
 */
async function trade(refreshToken: string, pause: TokenHolder['pause']): Promise<SessionTokens> {
  for (let tried = 1; ; tried += 1) {
    await whenOnline()
    try {
      const input = { body: { refresh_token: refreshToken } }
      return await call(authContract.refreshTokens, input, { timeoutMs: REFRESH_TIMEOUT_MS })
    } catch (error) {
      const isRefused = error instanceof CallError && error.code < 500
      if (isRefused || tried === TRIES) throw error
      await pause(PAUSE_MS * 2 ** (tried - 1))
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
