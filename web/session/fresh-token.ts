import { authContract } from '#contract/auth.ts'
import type { SessionTokens } from '#contract/shapes.ts'
import { call, CallError } from '#web/lib/api/call.ts'
import type { KeptTokens } from './session-state.ts'

const REFRESH_TIMEOUT_MS = 15_000
const TRIES = 3
const PAUSE_MS = 500

/** How long an access token is used that was over on arrival; a refusal ends it earlier. */
const USED_FOR_MS = 5 * 60_000

/** Checks tokens by this device's clock and refreshes them, whichever session they belong to. */
export interface TokenTrade {
  /** Whether the server would accept the access token, unless it has just refused it. */
  isGood: (tokens: KeptTokens, refused: string | undefined) => tokens is SessionTokens
  isOver: (token: SessionTokens['refresh']) => boolean
  /** Tokens that have just come, with a refresh token that is dated by this device's clock. */
  receive: (tokens: SessionTokens) => SessionTokens
  trade: (tokens: KeptTokens) => Promise<SessionTokens>
}

/** What the refresh needs from the session around it. */
export interface TokenHolder {
  /** The newest tokens, including those from other tabs; null if the session is over. */
  read: () => KeptTokens | null
  replace: (tokens: SessionTokens) => void
  /** The session cannot go on. */
  end: () => void
  /** Runs one task at a time among all tabs. */
  exclusively: <T>(task: () => Promise<T>) => Promise<T>
}

interface TradeParts {
  nowMs: () => number
  pause: (durationMs: number) => Promise<void>
}

export function createTokenTrade({ nowMs, pause }: TradeParts): TokenTrade {
  const isOver: TokenTrade['isOver'] = ({ expires }) => Date.parse(expires) <= nowMs()
  return {
    isOver,
    isGood(tokens, refused): tokens is SessionTokens {
      const { access } = tokens
      return access !== null && access.token !== refused && !isOver(access)
    },
    receive: (tokens) => ({ ...tokens, refresh: datedHere(tokens, nowMs()).refresh }),
    trade: async ({ refresh }) => datedHere(await askForTokens(refresh.token, pause), nowMs()),
  }
}

/** New tokens that are over already show a clock that is ahead: their dates are moved to it. */
function datedHere(tokens: SessionTokens, nowMs: number): SessionTokens {
  const aheadMs = nowMs - Date.parse(tokens.access.expires)
  if (aheadMs < 0) return tokens
  const moved = ({ token, expires }: SessionTokens['access']) => ({
    token,
    expires: new Date(Date.parse(expires) + aheadMs + USED_FOR_MS).toISOString(),
  })
  return { access: moved(tokens.access), refresh: moved(tokens.refresh) }
}

/**
 * Returns an access token that is valid now. A missing, expired or just refused one is refreshed
 * first; however many callers ask at once, there is only one refresh. If the server refuses it, the
 * session ends and the promise is rejected with a 401; if the server cannot be reached, the session
 * continues, and the promise is rejected with the cause.
 */
export function createFreshToken(
  holder: TokenHolder,
  { isGood, isOver, trade }: TokenTrade,
): (refused?: string) => Promise<string> {
  let running: Promise<string> | null = null

  function readTokens(): KeptTokens {
    const tokens = holder.read()
    if (tokens === null) throw unauthenticated()
    return tokens
  }

  async function refresh(refused: string | undefined): Promise<string> {
    return holder.exclusively(async () => {
      const before = readTokens()
      if (isGood(before, refused)) return before.access.token
      if (isOver(before.refresh)) {
        holder.end()
        throw unauthenticated()
      }
      const after = await tradeOrEnd(before)
      holder.replace(after)
      // By now nobody may be logged in any more.
      const { access } = readTokens()
      if (access === null) throw unauthenticated()
      return access.token
    })
  }

  async function tradeOrEnd(tokens: KeptTokens): Promise<SessionTokens> {
    try {
      return await trade(tokens)
    } catch (error) {
      if (!isFinal(error)) throw error
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
 * After a lost reply the request is repeated at once, since the server repeats it only for a short
 * time. After that, the next call has to try.
 */
async function askForTokens(
  refreshToken: string,
  pause: TradeParts['pause'],
): Promise<SessionTokens> {
  for (let tried = 1; ; tried += 1) {
    try {
      const input = { body: { refresh_token: refreshToken } }
      return await call(authContract.refreshTokens, input, { timeoutMs: REFRESH_TIMEOUT_MS })
    } catch (error) {
      if (isAnswer(error) || isOffline() || tried === TRIES) throw error
      await pause(PAUSE_MS * 2 ** (tried - 1))
    }
  }
}

function isAnswer(error: unknown): error is CallError {
  return error instanceof CallError && error.isFromServer && error.code < 500
}

/** A refusal that a retry would repeat: the server was neither unreachable, broken nor too busy. */
export function isFinal(error: unknown): boolean {
  return isAnswer(error) && error.code !== 429
}

function isOffline(): boolean {
  return 'onLine' in navigator && !navigator.onLine
}

/** The rejection of a call for users if nobody is logged in. */
export function unauthenticated(cause?: unknown): CallError {
  return new CallError(
    { code: 401, message: 'Log in to continue', reason: 'Unauthenticated' },
    cause,
  )
}
