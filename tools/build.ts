/**
 * Builds the buyers' pages into dist/web, and the operators' below it, when a source is newer
 * than the last build. `npm start` runs it before the server, and `npm test` before the browser
 * tests; `npm run build` with `--always`.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { projectEnvironment, projectRoot } from './project.ts'

const sources = [
  'web',
  'console',
  'contract',
  'domain',
  'vite.config.ts',
  'vite.console.config.ts',
  'tools/vite',
  'package-lock.json',
]
const lastBuild = join(projectRoot, 'dist', 'web', 'operator', '.vite', 'manifest.json')

/** True if the build is up to date afterwards; otherwise the reason has been printed. */
export function ensureWebBuilt({ isWanted = false } = {}): boolean {
  if (!isWanted && newestChangeMs(sources) <= changedAtMs(lastBuild)) return true
  process.stdout.write('Building the web app … ')
  const startedAtMs = Date.now()
  // The console is built last, so its date shows that both are there.
  const isBuilt = build('vite.config.ts') && build('vite.console.config.ts')
  if (isBuilt) console.log(`done in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s.`)
  return isBuilt
}

function build(config: string): boolean {
  const vite = spawnSync('vite', ['build', '--config', config, '--logLevel', 'error'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: projectEnvironment,
  })
  if (vite.status === 0) return true
  console.log('failed.')
  console.error(`${vite.stdout ?? ''}${vite.stderr ?? vite.error?.message ?? ''}`)
  return false
}

/** Folders count too: theirs is the date that changes when a file is removed. */
function newestChangeMs(paths: readonly string[]): number {
  const dates = paths.flatMap((path) => {
    const full = join(projectRoot, path)
    const children = statSync(full).isDirectory() ? readdirSync(full, { recursive: true }) : []
    return [full, ...children.map((child) => join(full, String(child)))].map(changedAtMs)
  })
  return Math.max(...dates)
}

function changedAtMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (import.meta.main) {
  const isWanted = process.argv.includes('--always')
  process.exitCode = ensureWebBuilt({ isWanted }) ? 0 : 1
}
