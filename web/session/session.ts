import { authContract } from '#contract/auth.ts'
import type { InputOf, Endpoint, ResultOf } from '#contract/endpoint.ts'
import type { SessionTokens, User } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { call, CallError, type CallOptions } from '#web/lib/api/call.ts'
import {
  createFreshToken,
  createTokenTrade,
  isFinal,
  unauthenticated,
  type TokenHolder,
  type TokenTrade,
} from './fresh-token.ts'
import type { Obstacle, SessionState } from './session-state.ts'
import type { SessionStorage } from './session-storage.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

export interface Session {
  read: () => SessionState
  subscribe: (listener: () => void) => () => void
  /** Makes a call as the logged-in user; an open call is made without a token. */
  callAs: CallAs
  freshToken: (refused?: string) => Promise<string>
  /** Rejects with a `CallError`; on `TwoFactorRequired`, call it again with a code. */
  logIn: (credentials: InputOf<typeof authContract.login>['body']) => Promise<void>
  /** Registers and logs in; the page then goes to `landing`. Rejects with a `CallError`. */
  register: (
    registration: InputOf<typeof authContract.register>['body'],
    landing: string,
  ) => Promise<void>
  /** Reports that the page after the login is shown. */
  land: () => void
  /** Ends the session here and, if it answers soon, on the server. Never rejects. */
  logOut: () => Promise<void>
  /** Ends the session here, if the server has already ended it. */
  clear: () => void
  /** Reloads the user, whose balance has changed. Logs out if the account is gone. */
  loadUser: () => Promise<void>
  /** Returns the user as it is stored now. Rejects with a `CallError`. */
  updateUser: (changes: InputOf<typeof usersContract.updateUser>['body']) => Promise<User>
  markEmailVerified: () => void
  dismissBanner: (id: string) => void
}

interface SessionParts {
  storage: SessionStorage
  nowMs: () => number
  pause: (durationMs: number) => Promise<void>
  exclusively: <T>(task: () => Promise<T>) => Promise<T>
}

/** A server that does not answer must not keep anybody from logging out on this device. */
const LOGOUT_WAIT_MS = 1500

/** The only owner of tokens. Everything outside asks it to make the call. */
export function createSession(parts: SessionParts): Session {
  const store = createSessionStore(parts.storage)
  const { read, apply, subscribe } = store
  const tokenTrade = createTokenTrade(parts)
  const freshToken = createFreshToken(tokenHolderOf(store, parts), tokenTrade)
  const isLoggedOut = () => read().status === 'logged-out'
  const callAs = noticing(store, createCallAs(isLoggedOut, freshToken))

  /** Loads and saves of the user so far: only the answer to the latest is taken. */
  let asked = 0

  async function loadUser(): Promise<void> {
    const state = read()
    if (state.status === 'logged-out') return
    const { id } = state.user
    const number = ++asked
    try {
      const user = await callAs(usersContract.getUser, { params: { id } })
      const now = read()
      if (now.status === 'logged-out' || now.user.id !== id || number < asked) return
      const isVerifiedMeanwhile = now.user.is_email_verified && !state.user.is_email_verified
      // The reply was on its way before the address was verified.
      if (isVerifiedMeanwhile && !user.is_email_verified) return await loadUser()
      apply({ type: 'user-loaded', user })
      apply({ type: 'obstacle-met', obstacle: null })
    } catch (error) {
      if (!(error instanceof CallError) || !isOf(read(), id)) return
      if (obstacleOf(error) === null && isFinal(error)) endSession(store, parts.storage)
    }
  }

  return {
    read,
    subscribe,
    callAs,
    freshToken,
    async logIn(credentials) {
      const { data } = await call(authContract.login, { body: credentials })
      const loaded = await loadAfterLogin(data, tokenTrade)
      apply({ type: 'logged-in', ...loaded, landing: null })
    },
    async register(registration, landing) {
      const { data } = await call(authContract.register, { body: registration })
      const tokens = tokenTrade.receive(data.tokens)
      apply({ type: 'logged-in', user: data.user, tokens, obstacle: null, landing })
    },
    land: () => apply({ type: 'landed' }),
    async logOut() {
      const ended = callAs(authContract.logout, {}).catch(() => undefined)
      await Promise.race([ended, parts.pause(LOGOUT_WAIT_MS)])
      apply({ type: 'logged-out', by: 'user' })
    },
    clear: () => apply({ type: 'logged-out', by: 'user' }),
    loadUser,
    async updateUser(changes) {
      const state = read()
      if (state.status === 'logged-out') throw unauthenticated()
      const input = { params: { id: state.user.id }, body: changes }
      const user = await callAs(usersContract.updateUser, input)
      asked += 1
      if (isOf(read(), user.id)) apply({ type: 'user-loaded', user })
      return user
    },
    markEmailVerified: () => apply({ type: 'email-verified' }),
    dismissBanner: (id) => apply({ type: 'banner-dismissed', id }),
  }
}

/** Any refused call may report what the server requires of the user first. */
function noticing({ read, apply }: SessionStore, callAs: CallAs): CallAs {
  return async (endpoint, input, options) => {
    const asker = read()
    try {
      return await callAs(endpoint, input, options)
    } catch (error) {
      const obstacle = error instanceof CallError ? obstacleOf(error) : null
      const isSame = asker.status === 'logged-in' && isOf(read(), asker.user.id)
      if (obstacle !== null && isSame) apply({ type: 'obstacle-met', obstacle })
      throw error
    }
  }
}

function tokenHolderOf(store: SessionStore, { storage, exclusively }: SessionParts): TokenHolder {
  const { read, apply } = store
  return {
    read() {
      const state = read()
      if (state.status === 'logged-out') return null
      const stored = storage.read()
      // Without a usable storage there is nothing to read.
      if (stored.status === 'logged-out') return state.tokens
      return isOf(stored, state.user.id) ? stored.tokens : null
    },
    replace(tokens) {
      apply({ type: 'tokens-refreshed', tokens })
      // A logout in the meantime could not end a session that had not begun.
      if (read().status === 'logged-out') endOnServer(tokens)
    },
    end: () => endSession(store, storage),
    exclusively,
  }
}

/** Logs out, unless another tab has logged somebody else in: then this tab follows. */
function endSession({ read, apply }: SessionStore, storage: SessionStorage) {
  const state = read()
  const stored = storage.read()
  const isTakenOver =
    state.status === 'logged-in' && stored.status === 'logged-in' && !isOf(stored, state.user.id)
  apply(isTakenOver ? { type: 'read-again', stored } : { type: 'logged-out', by: 'server' })
}

function isOf(
  state: SessionState,
  userId: string,
): state is Extract<SessionState, { status: 'logged-in' }> {
  return state.status === 'logged-in' && state.user.id === userId
}

/**
 * Specification section 4: after a login the user is loaded, and if that fails there is no login. A
 * refusal that keeps the session leaves the user as the login returned it. Only after that are the
 * tokens stored, and so shared with other tabs.
 */
async function loadAfterLogin(login: { user: User; tokens: SessionTokens }, trade: TokenTrade) {
  let tokens = trade.receive(login.tokens)
  const holder: TokenHolder = {
    read: () => tokens,
    replace: (newer) => (tokens = newer),
    end: () => undefined,
    exclusively: (task) => task(),
  }
  const callAs = createCallAs(() => false, createFreshToken(holder, trade))
  try {
    const user = await callAs(usersContract.getUser, { params: { id: login.user.id } })
    return { user, tokens, obstacle: null }
  } catch (error) {
    const obstacle = error instanceof CallError ? obstacleOf(error) : null
    if (obstacle !== null) return { user: login.user, tokens, obstacle }
    endOnServer(tokens)
    throw error
  }
}

function endOnServer({ access }: SessionTokens) {
  call(authContract.logout, {}, { accessToken: access.token }).catch(() => undefined)
}

/** Specification section 4: these two refusals of the user's load leave the user signed in. */
function obstacleOf({ reason, message }: CallError): Obstacle | null {
  if (reason === 'EmailNotVerified' || message === 'Email must be verified') {
    return 'EmailNotVerified'
  }
  const isChangeDue = reason === 'PasswordChangeRequired' || message === 'Password change required'
  return isChangeDue ? 'PasswordChangeRequired' : null
}

type CallAs = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options?: Pick<CallOptions, 'signal' | 'timeoutMs'>,
) => Promise<ResultOf<E>>

/**
 * Makes calls as the logged-in user. A 401 refreshes the tokens and retries once; if nobody is
 * logged in, a call for users is rejected with a 401 and not sent (specification section 7).
 */
function createCallAs(
  isLoggedOut: () => boolean,
  freshToken: (refused?: string) => Promise<string>,
): CallAs {
  return async (endpoint, input, options = {}) => {
    const isVisitor = isLoggedOut()
    if (endpoint.access === 'open' || (endpoint.access === 'optional' && isVisitor)) {
      return call(endpoint, input, options)
    }
    if (isVisitor) throw unauthenticated()
    const accessToken = await freshToken()
    try {
      return await call(endpoint, input, { ...options, accessToken })
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 401) throw error
      return call(endpoint, input, { ...options, accessToken: await freshToken(accessToken) })
    }
  }
}
