/**
 * Builds what is older than its sources: the buyers' pages into dist/web with the operators' below
 * them, and the server into dist/server. `npm start` runs it before the server, and tests before
 * they start one; `npm run build` with `--always`.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { projectEnvironment, projectRoot } from './project.ts'

type Build = {
  configs: readonly string[]
  sources: readonly string[]
  /** What is written last. */
  result: string
}

const ofBoth = ['contract', 'domain', 'package-lock.json']
const builds = {
  'web app': {
    // The console is built last, since building the pages empties their folder.
    configs: ['vite.config.ts', 'vite.console.config.ts'],
    sources: ['web', 'console', 'tools/vite', ...ofBoth],
    result: 'dist/web/operator/.vite/manifest.json',
  },
  server: {
    configs: ['vite.server.config.ts'],
    sources: ['server', ...ofBoth],
    result: 'dist/server/main.js',
  },
} satisfies Record<string, Build>

export type BuildName = keyof typeof builds

/** True if these are up to date afterwards; otherwise the reason has been printed. */
export function ensureBuilt(names: readonly BuildName[], { isWanted = false } = {}): boolean {
  return names.every((name) => {
    const { configs, sources, result } = builds[name]
    if (!isWanted && newestChangeMs([...configs, ...sources]) <= changedAtMs(result)) return true
    process.stdout.write(`Building the ${name} … `)
    const startedAtMs = Date.now()
    const isBuilt = configs.every(build)
    if (isBuilt) console.log(`done in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s.`)
    return isBuilt
  })
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
    return [path, ...children.map((child) => join(path, String(child)))].map(changedAtMs)
  })
  return Math.max(...dates)
}

function changedAtMs(path: string): number {
  return statSync(join(projectRoot, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (import.meta.main) {
  const isWanted = process.argv.includes('--always')
  process.exitCode = ensureBuilt(['web app', 'server'], { isWanted }) ? 0 : 1
}
