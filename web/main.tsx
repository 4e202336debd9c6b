import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#web/ui/tokens.css'
import { App } from '#web/app/app.tsx'
import { createQueryClient } from '#web/app/query-client.ts'
import { readPageSeed } from '#web/app/read-page-seed.ts'
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
const queryClient = createQueryClient(readPageSeed())

void show(container)

/** What the server has rendered stays in sight until the same can be shown in its place. */
async function show(root: HTMLElement) {
  const hasPage = root.querySelector('main') !== null
  await Promise.all([startLanguage(), hasPage && loadPage(window.location.pathname)])
  createRoot(root).render(
    <StrictMode>
      <App session={session} queryClient={queryClient} />
    </StrictMode>,
  )
}
