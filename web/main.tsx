import { StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { FRAME_ATTRIBUTE, PAGE_SEED_ID, type PageSeed } from '#contract/page-seed.ts'
import '#web/ui/tokens.css'
import { App, LiveUpdates } from '#web/app/app.tsx'
import { keepEarlyLanguage } from '#web/app/early-input.tsx'
import { Sidebar } from '#web/app/layout.tsx'
import { askAgainForSeed, createQueryClient } from '#web/app/query-client.ts'
import { loadPage } from '#web/app/routes.tsx'
import { startLanguage } from '#web/messages/language.ts'
import { exclusively } from '#web/session/exclusively.ts'
import { localSessionStorage } from '#web/session/session-storage.ts'
import { createSession } from '#web/session/session.ts'

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no element with the id "root"')

const session = createSession({
  storage: localSessionStorage,
  nowMs: () => Date.now(),
  pause: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
  exclusively,
})
const seed = readPageSeed()
const queryClient = createQueryClient(seed)

void show(container)

/**
 * Hydrates the page that the server rendered, in steps that input can interrupt. It is rendered for
 * a visitor; for a logged-in user it is replaced with a new render.
 */
async function show(root: HTMLElement) {
  const isFrame = root.firstElementChild?.hasAttribute(FRAME_ATTRIBUTE) === true
  const hasPage = root.querySelector('main') !== null
  const isLoggedIn = session.read().status === 'logged-in'
  const [isReadable] = await Promise.all([
    startLanguage(),
    hasPage && (isLoggedIn || !isFrame) && loadPage(window.location.pathname),
    isLoggedIn && Promise.all([Sidebar.load(), LiveUpdates.load()]),
  ])
  const app = (
    <StrictMode>
      <App session={session} queryClient={queryClient} Router={BrowserRouter} />
    </StrictMode>
  )
  if (hasPage && !isFrame && isReadable && session.read().status === 'logged-out') {
    endBeforePaint()
    startTransition(() => void hydrateRoot(root, app))
  } else {
    createRoot(root).render(
      <>
        {app}
        <Shown onShown={keepEarlyLanguage()} />
      </>,
    )
  }
  if (seed !== null) askAgainForSeed(queryClient)
}

/** What the server sent stays visible until the page is ready to replace it. */
function Shown({ onShown }: { onShown: () => void }) {
  useLayoutEffect(() => {
    endBeforePaint()
    onShown()
  }, [onShown])
  return null
}

/** From here on the page itself reacts to input; see public/before-paint.js. */
function endBeforePaint() {
  delete document.documentElement.dataset['session']
  delete document.documentElement.dataset['waiting']
}

/**
 * The seed that the server put into the page; null in development, where the server renders no
 * pages. Unlike replies it is not validated: it comes with the code that reads it.
 */
function readPageSeed(): PageSeed | null {
  const text = document.getElementById(PAGE_SEED_ID)?.textContent
  if (text === undefined || text === null) return null
  try {
    return JSON.parse(text) as PageSeed
  } catch {
    return null
  }
}
