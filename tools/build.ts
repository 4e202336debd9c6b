/**
 * Builds what was built from other sources than those that are here: the buyers' pages into
 * dist/web with the operators' below them, and the server into dist/server. `npm start` runs it
 * before the server, and tests before they start one; `npm run build` with `--always`.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import { projectEnvironment, projectRoot } from './project.ts'
import { readVersion } from './version.ts'

type Build = {
  configs: readonly string[]
  sources: readonly string[]
  /** It says which version it is, so it is built again for another one. */
  isVersioned?: boolean
  /** Each build makes it anew, and leaves the digest of its sources there. */
  folder: string
}

const ofBoth = ['contract/**', 'domain/**', 'package.json', 'package-lock.json']
const builds = {
  'web app': {
    // The console is built last, since building the pages empties their folder.
    configs: ['vite.config.ts', 'vite.console.config.ts'],
    sources: ['web/**', 'console/**', 'tools/vite/**', ...ofBoth],
    folder: 'dist/web/.vite',
  },
  server: {
    configs: ['vite.server.config.ts'],
    sources: ['server/**', 'tools/version.ts', ...ofBoth],
    isVersioned: true,
    folder: 'dist/server',
  },
} satisfies Record<string, Build>

export type BuildName = keyof typeof builds

/** True if these are up to date afterwards; otherwise the reason has been printed. */
export function ensureBuilt(names: readonly BuildName[], { isWanted = false } = {}): boolean {
  return names.every((name) => {
    const { configs, sources, folder, isVersioned = false }: Build = builds[name]
    const stamp = join(projectRoot, folder, 'sources.sha256')
    const digest = digestOf([...configs, ...sources], isVersioned ? readVersion() : '')
    if (!isWanted && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true
    process.stdout.write(`Building the ${name} … `)
    const startedAtMs = Date.now()
    if (!configs.every(build)) return false
    writeFileSync(stamp, digest)
    console.log(`done in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s.`)
    return true
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

/** Of the contents: the dates of an unpacked or copied release say nothing. */
function digestOf(patterns: readonly string[], version: string): string {
  const files = globSync(patterns, { cwd: projectRoot, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(projectRoot, join(parentPath, name)))
  const hash = createHash('sha256').update(version)
  for (const file of files.toSorted())
    hash.update(`${file}\0`).update(readFileSync(join(projectRoot, file)))
  return hash.digest('hex')
}

if (import.meta.main) {
  const isWanted = process.argv.includes('--always')
  process.exitCode = ensureBuilt(['web app', 'server'], { isWanted }) ? 0 : 1
}
