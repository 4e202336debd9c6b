import { authContract } from '#contract/auth.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { SessionTokens, User } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { call } from '#web/lib/call.ts'
import { CallError } from '#web/lib/call-error.ts'
import { createCallAs, type CallAs } from './call-as.ts'
import { createFreshToken, unauthenticated, type TokenHolder } from './fresh-token.ts'
import type { SessionState } from './session-state.ts'
import type { SessionStorage } from './session-storage.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

export interface Session {
  read: () => SessionState
  subscribe: (listener: () => void) => () => void
  /** Makes a call as whoever is logged in; an open call is made without a token. */
  callAs: CallAs
  freshToken: (refused?: string) => Promise<string>
  /** Rejects with a `CallError`; `TwoFactorRequired` asks for the same again with a code. */
  logIn: (credentials: InputOf<typeof authContract.login>['body']) => Promise<void>
  /** Registers and logs in; the page then goes to `landing`. Rejects with a `CallError`. */
  register: (
    registration: InputOf<typeof authContract.register>['body'],
    landing: string,
  ) => Promise<void>
  /** Says that the page a login led to is shown. */
  land: () => void
  /** Ends the session here and, where it answers soon, on the server. Never rejects. */
  logOut: () => Promise<void>
  /** Asks for the user again, whose balance has changed. Logs out where there is none any more. */
  loadUser: () => Promise<void>
  updateUser: (changes: InputOf<typeof usersContract.updateUser>['body']) => Promise<void>
  markEmailVerified: () => void
  dismissBanner: (id: string) => void
}

interface SessionParts {
  storage: SessionStorage
  nowMs: () => number
  pause: (durationMs: number) => Promise<void>
  exclusively: <T>(task: () => Promise<T>) => Promise<T>
}

/** A server that does not answer may not keep anybody from logging out on this device. */
const LOGOUT_WAIT_MS = 1500

/** The only owner of tokens. Everything outside asks it to make the call. */
export function createSession(parts: SessionParts): Session {
  const store = createSessionStore(parts.storage)
  const { read, apply, subscribe } = store
  const freshToken = createFreshToken(tokenHolderOf(store, parts))
  const callAs = createCallAs(read, freshToken)

  async function loadUser() {
    const state = read()
    if (state.status === 'logged-out') return
    try {
      const user = await callAs(usersContract.getUser, { params: { id: state.user.id } })
      apply({ type: 'user-loaded', user })
    } catch (error) {
      if (error instanceof CallError && isGone(error)) apply({ type: 'logged-out', by: 'server' })
    }
  }

  return {
    read,
    subscribe,
    callAs,
    freshToken,
    async logIn(credentials) {
      const { data } = await call(authContract.login, { body: credentials })
      const user = await loadAfterLogin(data)
      apply({ type: 'logged-in', user, tokens: data.tokens, landing: null })
    },
    async register(registration, landing) {
      const { data } = await call(authContract.register, { body: registration })
      apply({ type: 'logged-in', ...data, landing })
    },
    land: () => apply({ type: 'landed' }),
    async logOut() {
      const told = callAs(authContract.logout, {}).catch(() => undefined)
      await Promise.race([told, parts.pause(LOGOUT_WAIT_MS)])
      apply({ type: 'logged-out', by: 'user' })
    },
    loadUser,
    async updateUser(changes) {
      const state = read()
      if (state.status === 'logged-out') throw unauthenticated()
      const input = { params: { id: state.user.id }, body: changes }
      apply({ type: 'user-loaded', user: await callAs(usersContract.updateUser, input) })
    },
    markEmailVerified: () => apply({ type: 'email-verified' }),
    dismissBanner: (id) => apply({ type: 'banner-dismissed', id }),
  }
}

function tokenHolderOf({ read, apply }: SessionStore, parts: SessionParts): TokenHolder {
  return {
    read() {
      const state = read()
      if (state.status === 'logged-out') return null
      const stored = parts.storage.read()
      return stored.status === 'logged-in' ? stored.tokens : state.tokens
    },
    replace: (tokens) => apply({ type: 'tokens-refreshed', tokens }),
    end: () => apply({ type: 'logged-out', by: 'server' }),
    nowMs: parts.nowMs,
    pause: parts.pause,
    exclusively: parts.exclusively,
  }
}

/**
 * Specification section 4: after a login the user is loaded, and where that fails there is no
 * login. A refusal that keeps the session leaves what the login itself told of the user.
 */
async function loadAfterLogin({ user, tokens }: { user: User; tokens: SessionTokens }) {
  const accessToken = tokens.access.token
  try {
    return await call(usersContract.getUser, { params: { id: user.id } }, { accessToken })
  } catch (error) {
    if (error instanceof CallError && keepsSession(error)) return user
    call(authContract.logout, {}, { accessToken }).catch(() => undefined)
    throw error
  }
}

/** Specification section 4: these two refusals of the user's load leave the user signed in. */
function keepsSession(error: CallError): boolean {
  return error.reason === 'EmailNotVerified' || error.reason === 'PasswordChangeRequired'
}

/** After the login a server that is away for a moment is no reason to log somebody out. */
function isGone(error: CallError): boolean {
  return error.isFromServer && error.code < 500 && error.code !== 429 && !keepsSession(error)
}
