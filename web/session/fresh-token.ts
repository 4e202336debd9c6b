import { authContract } from '#contract/auth.ts'
import type { SessionTokens } from '#contract/shapes.ts'
import { call, CallError } from '#web/lib/api/call.ts'
import type { KeptTokens } from './session-state.ts'

const REFRESH_TIMEOUT_MS = 15_000
const TRIES = 3
const PAUSE_MS = 500

/**
 * Checks the expiry of tokens by the clock of this device and refreshes them, whichever session
 * they belong to.
 */
export interface TokenTrade {
  /** That the server would take the access token, unless it is the one it has just refused. */
  isGood: (tokens: KeptTokens, refused: string | undefined) => tokens is SessionTokens
  isOver: (token: SessionTokens['refresh']) => boolean
  trade: (tokens: KeptTokens) => Promise<SessionTokens>
}

/** What the refresh needs of the session around it. */
export interface TokenHolder {
  /** The newest tokens, those of other tabs included; null if the session is over. */
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
  /** Expired on arrival: the clock of this device is wrong, and only the server knows the end. */
  let untimed: string | null = null
  const isOver: TokenTrade['isOver'] = ({ expires }) => new Date(expires).getTime() <= nowMs()
  return {
    isOver,
    isGood(tokens, refused): tokens is SessionTokens {
      const { access } = tokens
      if (access === null || access.token === refused) return false
      return access.token === untimed || !isOver(access)
    },
    async trade({ refresh }) {
      const tokens = await askForTokens(refresh.token, pause)
      if (isOver(tokens.access)) untimed = tokens.access.token
      return tokens
    },
  }
}

/**
 * Hands out an access token that is good now. A missing, expired or just refused one is traded in
 * first; however many ask at once, one refresh runs. Where the server refuses it the session ends
 * and the promise is rejected with a 401; where the server cannot be reached the session goes on,
 * and the promise is rejected with what kept it from answering.
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
      // Nobody may be logged in any more.
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
 * A lost answer is asked for again at once: the server gives it for a short time only. Beyond that
 * it is for later, when the next call asks.
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

/**
 * A refusal that another try would repeat: the server was neither unreachable, broken nor too busy.
 */
export function isFinal(error: unknown): boolean {
  return isAnswer(error) && error.code !== 429
}

function isOffline(): boolean {
  return 'onLine' in navigator && !navigator.onLine
}

/** What a call for users is rejected with where nobody is logged in. */
export function unauthenticated(cause?: unknown): CallError {
  return new CallError(
    { code: 401, message: 'Log in to continue', reason: 'Unauthenticated' },
    cause,
  )
}
