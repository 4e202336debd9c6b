import { SessionTokens, User } from '#contract/shapes.ts'
import { persisted } from '#web/lib/persisted.ts'
import * as z from 'zod/mini'
import type { KeptTokens, SessionState } from './session-state.ts'

/** Keeps a session across reloads and reports changes made by other tabs. */
export interface SessionStorage {
  /** Counts as logged out by the server if there is a session that cannot continue. */
  read: () => SessionState
  /** Stores only what differs from the state before: the rest may be newer in the storage. */
  write: (state: SessionState, before: SessionState) => void
  watch: (listener: () => void) => () => void
}

const BannerIds = z.array(z.string())

const isNamed = z.refine<{ token: string }>(({ token }) => token !== '')
const { access, refresh } = SessionTokens.shape
/** Without a refresh token there is no session; an unreadable access token counts as missing. */
const StoredTokens: z.ZodMiniType<KeptTokens> = z.object({
  access: z.catch(z.nullable(access.check(isNamed)), null),
  refresh: refresh.check(isNamed),
})

/** The session in the browser's local storage: tokens, user, loggedIn and banners. */
export const localSessionStorage: SessionStorage = {
  read() {
    const dismissedBanners = readJson('banners', BannerIds) ?? []
    const user = readJson('user', User)
    const tokens = readJson('tokens', StoredTokens)
    // Written last, so that if it is there, the rest is too.
    if (persisted.read('loggedIn') !== true) {
      return { status: 'logged-out', by: 'nobody', dismissedBanners }
    }
    if (user === null || tokens === null) {
      return { status: 'logged-out', by: 'server', dismissedBanners }
    }
    return { status: 'logged-in', user, tokens, obstacle: null, landing: null, dismissedBanners }
  },
  write(state, before) {
    if (state.dismissedBanners !== before.dismissedBanners) {
      persisted.write('banners', JSON.stringify(state.dismissedBanners))
    }
    if (state.status === 'logged-out') {
      persisted.remove('user')
      persisted.remove('tokens')
      persisted.remove('loggedIn')
      return
    }
    const known = before.status === 'logged-in' ? before : null
    if (known !== null && !isStoredUser(known.user.id)) return
    if (state.user !== known?.user) persisted.write('user', JSON.stringify(state.user))
    if (state.tokens !== known?.tokens) persisted.write('tokens', JSON.stringify(state.tokens))
    persisted.write('loggedIn', true)
  },
  watch: persisted.watch,
}

/**
 * Another tab may have logged out a moment ago, or logged another user in. A late reply must
 * neither be stored again nor mixed with the other session.
 */
function isStoredUser(userId: string): boolean {
  return persisted.read('loggedIn') === true && readJson('user', User)?.id === userId
}

/** Null for a value that is missing or was written by another version. */
function readJson<S extends z.core.$ZodType>(name: string, schema: S): z.output<S> | null {
  const text = persisted.read(name)
  if (typeof text !== 'string') return null
  try {
    const parsed = z.safeParse(schema, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
