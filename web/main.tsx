import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#web/ui/tokens.css'
import { App } from '#web/app/app.tsx'
import { createQueryClient } from '#web/app/query-client.ts'
import { exclusively } from '#web/session/exclusively.ts'
import { localSessionStorage } from '#web/session/session-storage.ts'
import { createSession } from '#web/session/session.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root"')

const session = createSession({
  storage: localSessionStorage,
  nowMs: () => Date.now(),
  pause: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
  exclusively,
})

createRoot(root).render(
  <StrictMode>
    <App session={session} queryClient={createQueryClient()} />
  </StrictMode>,
)
