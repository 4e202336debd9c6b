import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import './console.css'
import { App } from './app.tsx'

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no element with the id "root"')

createRoot(container).render(
  <StrictMode>
    <BrowserRouter basename="/operator">
      <App />
    </BrowserRouter>
  </StrictMode>,
)
