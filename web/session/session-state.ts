import type { SessionTokens, User } from '#contract/shapes.ts'

export type LoggedOutBy = 'nobody' | 'user' | 'server'

/** What the server requires of a user first, while the session stays. Specification section 8. */
export type Obstacle = 'EmailNotVerified' | 'PasswordChangeRequired'

/** The stored tokens. The access token may be missing: then it is fetched before a call. */
export interface KeptTokens {
  access: SessionTokens['access'] | null
  refresh: SessionTokens['refresh']
}

export type SessionState =
  | {
      status: 'logged-out'
      /** Who ended the last session; `nobody` if there was none. */
      by: LoggedOutBy
      dismissedBanners: readonly string[]
    }
  | {
      status: 'logged-in'
      user: User
      tokens: KeptTokens
      /** Null if nothing is required of the user, as far as is known. */
      obstacle: Obstacle | null
      /** Where the page goes after the login; null stands for the dashboard. */
      landing: string | null
      dismissedBanners: readonly string[]
    }

export type SessionAction =
  | {
      type: 'logged-in'
      user: User
      tokens: SessionTokens
      obstacle: Obstacle | null
      landing: string | null
    }
  | { type: 'tokens-refreshed'; tokens: SessionTokens }
  | { type: 'user-loaded'; user: User }
  | { type: 'obstacle-met'; obstacle: Obstacle | null }
  | { type: 'email-verified' }
  | { type: 'banner-dismissed'; id: string }
  /** The page that the login led to is shown. */
  | { type: 'landed' }
  | { type: 'logged-out'; by: LoggedOutBy }
  /** Another tab logged in, logged out or refreshed. */
  | { type: 'read-again'; stored: SessionState }

/** The next state of the session. Pure: storing it and calling the server happen around it. */
export function reduceSession(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case 'logged-in': {
      const { user, tokens, obstacle, landing } = action
      return { status: 'logged-in', user, tokens, obstacle, landing, dismissedBanners: [] }
    }
    case 'logged-out':
      if (state.status === 'logged-out' && action.by !== 'user') return state
      return { status: 'logged-out', by: action.by, dismissedBanners: [] }
    case 'read-again':
      return readAgain(state, action.stored)
    case 'banner-dismissed':
      if (state.dismissedBanners.includes(action.id)) return state
      return { ...state, dismissedBanners: [...state.dismissedBanners, action.id] }
    default:
      return state.status === 'logged-out' ? state : reduceLoggedIn(state, action)
  }
}

type LoggedIn = Extract<SessionState, { status: 'logged-in' }>
type LoggedInAction = Extract<
  SessionAction,
  { type: 'tokens-refreshed' | 'user-loaded' | 'obstacle-met' | 'landed' | 'email-verified' }
>

/** Events in a logged-in session; after its end they change nothing. */
function reduceLoggedIn(state: LoggedIn, action: LoggedInAction): LoggedIn {
  switch (action.type) {
    case 'tokens-refreshed':
      return { ...state, tokens: action.tokens }
    case 'user-loaded':
      return { ...state, user: action.user }
    case 'obstacle-met':
      return state.obstacle === action.obstacle ? state : { ...state, obstacle: action.obstacle }
    case 'landed':
      return state.landing === null ? state : { ...state, landing: null }
    case 'email-verified':
      return {
        ...state,
        user: { ...state.user, is_email_verified: true },
        obstacle: state.obstacle === 'EmailNotVerified' ? null : state.obstacle,
      }
  }
}

function readAgain(state: SessionState, stored: SessionState): SessionState {
  if (stored.status === 'logged-in') {
    if (state.status === 'logged-out' || state.user.id !== stored.user.id) return stored
    const { obstacle, landing } = state
    const isDone = obstacle === 'EmailNotVerified' && stored.user.is_email_verified
    return { ...stored, obstacle: isDone ? null : obstacle, landing }
  }
  return state.status === 'logged-out' ? { ...stored, by: state.by } : { ...stored, by: 'server' }
}
