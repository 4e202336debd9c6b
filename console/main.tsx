import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import './console.css'
import { FALLBACK, translateFaults } from '#web/lib/api/call.ts'
import { App } from './app.tsx'

// Without a readable answer nobody knows whether an act was done: each place says so itself.
translateFaults((fault) => (fault === FALLBACK ? { ...fault, message: null } : fault))

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no element with the id "root"')

createRoot(container).render(
  <StrictMode>
    <BrowserRouter basename="/operator">
      <App />
    </BrowserRouter>
  </StrictMode>,
)
