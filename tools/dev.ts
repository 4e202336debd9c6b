/**
 * `npm run dev`: the server, restarted at each change, and the buyers' pages and the console from
 * Vite, which passes the calls of the API on. All write to this terminal; when one ends, the others
 * are ended too.
 */
import { spawn } from 'node:child_process'

import { projectEnvironment, projectRoot } from './project.ts'

const webAddress = 'http://localhost:5173'
const options = {
  cwd: projectRoot,
  // Links in mails open the page that Vite serves.
  env: { PUBLIC_URL: webAddress, ...projectEnvironment },
  stdio: 'inherit',
} as const

const parts = [
  spawn('node', ['--watch', '--watch-preserve-output', 'server/main.ts'], options),
  spawn('vite', ['--clearScreen', 'false'], options),
  spawn('vite', ['--config', 'vite.console.config.ts', '--clearScreen', 'false'], options),
]

const end = () => {
  for (const part of parts) part.kill('SIGTERM')
}
for (const part of parts) {
  part.on('exit', (code) => {
    process.exitCode ||= code ?? 0
    end()
  })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
console.log(
  `The web app in development is at ${webAddress}, the console at ${webAddress}/operator/`,
)
